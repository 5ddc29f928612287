import { addressKey } from '@parley/rules/email-address'
import type { Database, Tx } from '../../migrations/tables.ts'

/** oauth.md 4: the sandbox is for trying an app out, not for running it. */
export const mostTesters = 100

export const listTesterRows = (database: Database, appId: string) =>
  database.selectFrom('appTester').select('email').where('appId', '=', appId).orderBy('emailKey').execute()

/** The same address in another case is the same person. */
export async function replaceTesterRows(tx: Tx, appId: string, emails: readonly string[]) {
  await tx.deleteFrom('appTester').where('appId', '=', appId).execute()
  const byKey = new Map(emails.map((email) => [addressKey(email), email]))
  const rows = [...byKey].map(([emailKey, email]) => ({ appId, emailKey, email }))
  if (rows.length > 0) await tx.insertInto('appTester').values(rows).execute()
}
