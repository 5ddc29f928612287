import { readService } from '@parley/contract'
import { hasAccounts } from '../account/account-store.ts'
import type { AccountsService } from '../accounts-service.ts'

/** What the start page needs before a sign-in. */
export function serveReadService({ serve, firstAccount, config }: AccountsService) {
  const { signUp, provider, reminderMinutes, mailIsSent, linksAreLocal } = config
  const providerName = provider?.name ?? null
  serve(readService, {
    handle: async ({ request, database }) => ({
      firstRun: !(await hasAccounts(database)),
      setUpCodeRequired: await firstAccount.needsCode(database, { isLocal: request.isLocal() }),
      signUp,
      providerName,
      reminderMinutes,
      mailIsSent,
      linksAreLocal,
    }),
  })
}
