import { addressDomain } from '@parley/rules/text/email-address'
import { sql } from 'kysely'
import { withAuditLine } from '../../access/audit.ts'
import { shownUserAgent } from '../../access/credentials/session-store.ts'
import { typed } from '../../platform/database/column-types.ts'
import { defineStatement } from '../../platform/database/define-statement.ts'
import type { Database } from '../../tables/tables.ts'
import type { AccountRow } from '../account/account-store.ts'
import { tenantNameOf } from '../account/tenant-store.ts'
import type { AccountsService } from '../accounts-service.ts'

const insertStatement = defineStatement({
  name: 'note-refused-sign-in',
  parameters: {
    id: 'uuid',
    accountId: 'uuid?',
    detail: typed<object>('jsonb'),
    address: 'text',
    now: 'timestamptz',
    tenantId: 'uuid?',
    tenantName: 'text',
  },
  text: (p) =>
    withAuditLine(sql`insert into audit_entry (id, tenant_id, actor_id, subject_id, action, detail, address, created_at)
   select ${p.id}, t.id, null, ${p.accountId}, 'sign-in.refused', ${p.detail}, ${p.address}, ${p.now} from tenant t
   where t.id = ${p.tenantId} or ${p.tenantId} is null and t.name = ${p.tenantName}`),
})

type Refusal = {
  account: AccountRow | undefined
  email: string
  request: { address: string; userAgent: string }
  now: Date
}

/**
 * Record a refused sign-in: one statement whether or not the address has an account, so that its time does not reveal
 * it. The typed address is not stored: it may be a password in the wrong field.
 */
export async function recordRefusedSignIn(
  database: Database,
  { random, config }: AccountsService,
  { account, email, request, now }: Refusal,
): Promise<void> {
  await insertStatement.execute(database, {
    id: random.uuid(now),
    accountId: account?.id ?? null,
    detail: { userAgent: shownUserAgent(request.userAgent) },
    address: request.address,
    now,
    tenantId: account?.tenantId ?? null,
    tenantName: tenantNameOf(addressDomain(email), config.tenants),
  })
}
