import { sql } from 'kysely'
import { type Dependencies, withDatabase } from '../operator.ts'
import { findNamedAccount } from './find-account.ts'
import { rightsOf } from './list-accounts.ts'

type Counts = { sessions: number; tokens: number; passkeys: number; meetings: number; apps: number; grants: number }

/** Print what an operator needs to know about one account, without its content. @throws StartProblem */
export const showAccount = (dependencies: Dependencies, named: string): Promise<void> =>
  withDatabase(dependencies, async ({ database, clock, say }) => {
    const account = await findNamedAccount(database, named)
    const { id, email, emailVerifiedAt, name, lname, passwordHash, createdAt, disabledAt } = account
    const now = clock.now()
    const { rows } = await sql<Counts>`select
      (select count(*)::integer from session where account_id = ${id} and expires_at > ${now}) as sessions,
      (select count(*)::integer from personal_token where account_id = ${id}) as tokens,
      (select count(*)::integer from passkey where account_id = ${id}) as passkeys,
      (select count(*)::integer from meeting where host_id = ${id} and cancelled_at is null and over_at > ${now}) as meetings,
      (select count(*)::integer from app where owner_id = ${id} and deleted_at is null) as apps,
      (select count(*)::integer from app_grant where account_id = ${id} and revoked_at is null) as grants`.execute(
      database,
    )
    const { tenant } = await database
      .selectFrom('tenant')
      .select('name as tenant')
      .where('id', '=', account.tenantId)
      .executeTakeFirstOrThrow()
    const lines: [string, string | number][] = [
      ['id', id],
      ['address', `${email} (${emailVerifiedAt === null ? 'not confirmed' : 'confirmed'})`],
      ['name', `${name} ${lname}`.trim()],
      ['organisation', tenant],
      ['rights', rightsOf(account).join(', ') || 'none'],
      ['made', createdAt.toISOString()],
      ['disabled', disabledAt?.toISOString() ?? 'no'],
      ['password', passwordHash === null ? 'none' : 'set'],
      ...Object.entries(rows[0] ?? {}),
    ]
    for (const [label, value] of lines) say(`${`${label}:`.padEnd(14)}${value}`)
  })
