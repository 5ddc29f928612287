import type { AccountSummary } from '@parley/contract'
import type { AccountRow } from './account-store.ts'

/** What an administrator sees of an account of their organisation. */
export const viewAccountSummary = (account: AccountRow): AccountSummary => ({
  _id: account.id,
  email: account.email,
  emailVerified: account.emailVerifiedAt !== null,
  name: account.name,
  lname: account.lname,
  tenantId: account.tenantId,
  admin: account.administrator,
  reviewer: account.reviewer,
  oauthEnabled: account.oauthEnabled,
  disabled: account.disabledAt !== null,
  createdOn: account.createdAt.toISOString(),
})
