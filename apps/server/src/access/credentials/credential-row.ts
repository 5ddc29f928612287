import { sql } from 'kysely'
import type { RowOf } from '../../platform/database/define-statement.ts'
import type { Caller, Credential } from '../caller.ts'

/** A session or a token with its account, as each request reads it. */
export type CredentialRow = RowOf<typeof credentialTypes>

export const credentialTypes = {
  token_hash: 'bytea',
  /** The row whose last use is recorded: the session, the personal token, or the grant of an app's token. */
  id: 'uuid',
  expires_at: 'timestamptz?',
  last_used_at: 'timestamptz?',
  account_id: 'uuid',
  tenant_id: 'uuid',
  email_key: 'text',
  email_verified: 'boolean',
  administrator: 'boolean',
  reviewer: 'boolean',
  time_zone: 'text',
  disabled: 'boolean',
} as const

/** The columns of the account, which the statement names `a`. */
export const accountColumns = sql`a.id as account_id, a.tenant_id, a.email_key,
  a.email_verified_at is not null as email_verified, a.administrator, a.reviewer, a.time_zone,
  a.disabled_at is not null as disabled`

export const isLive = (row: CredentialRow, now: Date): boolean =>
  !row.disabled && (row.expires_at === null || row.expires_at > now)

export const callerOf = (row: CredentialRow, credential: Credential, trustsEvery: boolean): Caller => ({
  accountId: row.account_id,
  tenantId: row.tenant_id,
  addressKey: row.email_key,
  addressTrusted: row.email_verified || trustsEvery,
  administrator: row.administrator,
  reviewer: row.reviewer,
  timeZone: row.time_zone,
  credential,
})
