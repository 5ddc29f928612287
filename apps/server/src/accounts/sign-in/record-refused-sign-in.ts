import { addressDomain } from '@parley/rules/text/email-address'
import { withAuditLine } from '../../access/audit.ts'
import { shownUserAgent } from '../../access/credentials/session-store.ts'
import { statement } from '../../platform/database/database.ts'
import type { AccountRow } from '../account/account-store.ts'
import { tenantNameOf } from '../account/tenant-store.ts'
import type { AccountsService } from '../accounts-service.ts'

const insertStatement = statement<never>(
  'note-refused-sign-in',
  withAuditLine(`insert into audit_entry (id, tenant_id, actor_id, subject_id, action, detail, address, created_at)
   select $1, t.id, null, $2, 'sign-in.refused', $3, $4, $5 from tenant t where t.id = $6 or $6 is null and t.name = $7`),
)

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
  { database, random, config }: AccountsService,
  { account, email, request, now }: Refusal,
): Promise<void> {
  const tenantName = tenantNameOf(addressDomain(email), config.tenants)
  const detail = { userAgent: shownUserAgent(request.userAgent) }
  await insertStatement(database, [
    random.uuid(now),
    account?.id ?? null,
    detail,
    request.address,
    now,
    account?.tenantId ?? null,
    tenantName,
  ])
}
