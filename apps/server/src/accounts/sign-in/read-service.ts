import { readService } from '@parley/contract'
import { hasAccounts } from '../account/account-store.ts'
import type { AccountsService } from '../accounts-service.ts'

/** What our start page needs to know before anybody is signed in. */
export function serveReadService({ serve, database, firstAccount, config }: AccountsService) {
  const { signUp, provider, reminderMinutes } = config
  const providerName = provider?.name ?? null
  serve(readService, async ({ request }) => ({
    firstRun: !(await hasAccounts(database)),
    setUpCodeRequired: await firstAccount.needsCode(database, { isLocal: request.isLocal() }),
    signUp,
    providerName,
    reminderMinutes,
  }))
}
