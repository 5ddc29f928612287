import { readService } from '@parley/contract'
import type { Service } from '../access/service.ts'
import { hasAccounts } from './account-store.ts'

/** What our start page needs to know before anybody is signed in. */
export function serveReadService({ serve, database, config: { signUp, provider } }: Service) {
  const providerName = provider?.name ?? null
  serve(readService, async () => ({ firstRun: !(await hasAccounts(database)), signUp, providerName }))
}
