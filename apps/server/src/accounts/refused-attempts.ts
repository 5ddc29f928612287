import { addressDomain } from '@parley/rules/text/email-address'
import { sql } from 'kysely'
import { audit, withAuditLine } from '../access/audit.ts'
import { shownUserAgent } from '../access/credentials/session-store.ts'
import { type Database, inTransaction } from '../platform/database/database.ts'
import { defineStatement } from '../platform/database/define-statement.ts'
import { pick, tables, typed } from '../platform/database/tables.ts'
import type { Platform } from '../platform/platform.ts'
import type { AccountRow } from './account/account-store.ts'
import { tenantNameOf } from './account/tenant-store.ts'

const insertStatement = defineStatement({
  name: 'record-refused-sign-in',
  parameters: {
    ...pick(tables.auditEntry, 'id', 'address'),
    accountId: 'uuid?',
    detail: typed<object>('jsonb'),
    now: 'timestamptz',
    tenantId: 'uuid?',
    tenantName: 'text',
  },
  text: (p) =>
    withAuditLine(sql`insert into audit_entry (id, tenant_id, actor_id, subject_id, action, detail, address, created_at)
   select ${p.id}, t.id, null, ${p.accountId}, 'sign-in.refused', ${p.detail}, ${p.address}, ${p.now} from tenant t
   where t.id = ${p.tenantId} or ${p.tenantId} is null and t.name = ${p.tenantName}`),
})

type RefusedSignIn = {
  account: AccountRow | undefined
  email: string
  request: { address: string; userAgent: string }
  now: Date
}

type RefusedPassword = { account: AccountRow; address: string; now: Date }

/** Record refused attempts in the audit log. */
export type RefusedAttempts = {
  /**
   * Record a refused sign-in: one statement whether or not the address has an account, so that its time does not reveal
   * it. The typed address is not stored: it may be a password in the wrong field.
   */
  recordSignIn(refusal: RefusedSignIn): Promise<void>
  /** Record that a signed-in person's password was refused; their security log shows it. */
  recordPassword(refusal: RefusedPassword): Promise<void>
}

/**
 * `database` is the pool rather than the handler's: the record must remain when the refused request's transaction is
 * rolled back.
 */
export const createRefusedAttempts = (
  database: Database,
  { random, config }: Pick<Platform, 'random' | 'config'>,
): RefusedAttempts => ({
  async recordSignIn({ account, email, request, now }) {
    await insertStatement.execute(database, {
      id: random.uuid(now),
      accountId: account?.id ?? null,
      detail: { userAgent: shownUserAgent(request.userAgent) },
      address: request.address,
      now,
      tenantId: account?.tenantId ?? null,
      tenantName: tenantNameOf(addressDomain(email), config.tenants),
    })
  },
  async recordPassword({ account, address, now }) {
    const entry = { tenantId: account.tenantId, actorId: account.id, subjectId: account.id }
    await inTransaction(database, (tx) =>
      audit(tx, random, now, { ...entry, action: 'password.refused', detail: {}, address }),
    )
  },
})
