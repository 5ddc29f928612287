import { sql } from 'kysely'
import type { RowOf } from '../../platform/database/define-statement.ts'
import type { Caller, Credential } from '../caller.ts'

/** A session or a token with its account, as each request reads it. */
export type CredentialRow = RowOf<typeof credentialTypes>

export const credentialTypes = {
  tokenHash: 'bytea',
  /** The row whose last use is recorded: the session, the personal token, or the grant of an app's token. */
  id: 'uuid',
  expiresAt: 'timestamptz?',
  lastUsedAt: 'timestamptz?',
  accountId: 'uuid',
  lastSeenAt: 'timestamptz?',
  tenantId: 'uuid',
  emailKey: 'text',
  emailVerified: 'boolean',
  administrator: 'boolean',
  reviewer: 'boolean',
  timeZone: 'text',
  disabled: 'boolean',
} as const

/** The columns of the account, which the statement names `a`. */
export const accountColumns = sql`a.id as account_id, a.last_seen_at, a.tenant_id, a.email_key,
  a.email_verified_at is not null as email_verified, a.administrator, a.reviewer, a.time_zone,
  a.disabled_at is not null as disabled`

export const isLive = (row: CredentialRow, now: Date): boolean =>
  !row.disabled && (row.expiresAt === null || row.expiresAt > now)

export const callerOf = (row: CredentialRow, credential: Credential, trustsEvery: boolean): Caller => ({
  accountId: row.accountId,
  tenantId: row.tenantId,
  addressKey: row.emailKey,
  addressTrusted: row.emailVerified || trustsEvery,
  administrator: row.administrator,
  reviewer: row.reviewer,
  timeZone: row.timeZone,
  credential,
})
