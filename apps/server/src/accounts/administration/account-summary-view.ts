import type { AccountSummary } from '@parley/contract'
import { isAddressTrusted } from '../../access/trusted-address.ts'
import type { Config } from '../../platform/config/config.ts'
import type { AccountRow } from '../account/account-store.ts'
import type { OauthRequest } from './oauth-request-store.ts'

/** View an account for administrators of its organisation. */
export const viewAccountSummary = (
  account: AccountRow,
  request: OauthRequest | undefined,
  config: Config,
): AccountSummary => ({
  _id: account.id,
  email: account.email,
  emailVerified: isAddressTrusted(account, config),
  name: account.name,
  lname: account.lname,
  tenantId: account.tenantId,
  admin: account.administrator,
  reviewer: account.reviewer,
  oauthEnabled: account.oauthEnabled,
  oauthRequest: request ? { reason: request.reason, requestedOn: request.createdAt.toISOString() } : null,
  disabled: account.disabledAt !== null,
  createdOn: account.createdAt.toISOString(),
})
