import type { Caller } from '../access/caller.ts'
import { findAccount } from '../accounts/account/account-store.ts'
import { viewOwnProfile } from '../accounts/account/read-profile.ts'
import type { AccountsService } from '../accounts/accounts-service.ts'
import type { Database } from '../platform/database/database.ts'
import { problem } from '../platform/http/problem.ts'
import { rowsAsJson, sections } from './export-sections.ts'

/** Generate the export as JSON, one row per line. */
export async function* exportDocument(
  database: Database,
  service: AccountsService,
  caller: Caller,
  now: Date,
): AsyncGenerator<string> {
  const { config } = service
  const account = await findAccount(database, caller.accountId)
  if (account === undefined) throw problem('unauthorized')
  const profile = await viewOwnProfile(service, database, caller, account)
  const head = { format: 'parley-export', version: 1, service: config.baseUrl, exportedOn: now, profile }
  yield JSON.stringify(head).slice(0, -1)
  for (const [name, read] of Object.entries(sections)) {
    yield `,\n${JSON.stringify(name)}:[`
    yield* rowsAsJson(database, caller, read)
    yield ']'
  }
  yield '}\n'
}
