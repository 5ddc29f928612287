import type { Caller, Credential } from '../caller.ts'

/** A session or a token with its account, as each request reads it. */
export type CredentialRow = {
  token_hash: Buffer
  /** The row whose last use is recorded: the session, the personal token, or the grant of an app's token. */
  id: string
  expires_at: Date | null
  last_used_at: Date | null
  account_id: string
  tenant_id: string
  email_key: string
  email_verified: boolean
  administrator: boolean
  reviewer: boolean
  time_zone: string
  disabled: boolean
}

/** Columns of the account, which the statement names `a`. */
export const credentialColumns = `a.id as account_id, a.tenant_id, a.email_key,
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
