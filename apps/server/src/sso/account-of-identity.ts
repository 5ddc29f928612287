import { addressKey, isEmailAddress } from '@parley/rules/text/email-address'
import type { Language } from '@parley/texts/languages'
import { audit } from '../access/audit.ts'
import { isAddressVerified } from '../access/trusted-address.ts'
import { type AccountRow, findAccountByAddress, hasAccounts, lockAccount } from '../accounts/account/account-store.ts'
import { createAccount } from '../accounts/account/create-account.ts'
import type { AccountsService } from '../accounts/accounts-service.ts'
import { endAccessOfOthers } from '../accounts/ownership/end-access-of-others.ts'
import type { Tx } from '../platform/database/database.ts'
import { preferredLanguage } from '../platform/http/content-negotiation.ts'
import type { Identity } from './identity.ts'
import { ProviderError } from './provider-error.ts'

type SignInContext = { now: Date; address: string; acceptLanguage: string; isLocal: boolean }

/**
 * Find or create the account of an identity: by issuer and subject, else by the verified address, else a new account as
 * SIGN_UP allows.
 * @throws ProviderError address_unverified, set_up_code_required, sign_up_closed, account_disabled
 */
export async function accountOfIdentity(
  tx: Tx,
  service: AccountsService,
  identity: Identity,
  context: SignInContext,
): Promise<AccountRow> {
  const known = await tx
    .selectFrom('providerIdentity')
    .select('accountId')
    .where('issuer', '=', identity.issuer)
    .where('subject', '=', identity.subject)
    .executeTakeFirst()
  const account = known ? await lockAccount(tx, known.accountId) : await connect(tx, service, identity, context)
  if (account === undefined) throw new ProviderError('sign_in_unknown')
  if (account.disabledAt !== null) throw new ProviderError('account_disabled')
  return account
}

async function connect(tx: Tx, service: AccountsService, identity: Identity, context: SignInContext) {
  const { email, emailVerified, issuer, subject } = identity
  if (!emailVerified || !isEmailAddress(email)) throw new ProviderError('address_unverified')
  const found = await findAccountByAddress(tx, addressKey(email))
  const account = found
    ? await claimAccount(tx, service, found, context.now)
    : await makeAccountFor(tx, service, identity, context)
  if (account === undefined) return undefined
  const { now, address } = context
  await tx.insertInto('providerIdentity').values({ issuer, subject, accountId: account.id, createdAt: now }).execute()
  const entry = { tenantId: account.tenantId, actorId: account.id, subjectId: account.id }
  const claimed = found !== undefined && !isAddressVerified(found)
  const detail = { issuer, name: service.config.provider?.name ?? issuer, ...(claimed && { claimed }) }
  await audit(tx, service.random, now, { ...entry, action: 'provider.connected', detail, address })
  return account
}

/**
 * An account with an unverified address may have been created by another person. The provider verifies the address, so
 * revoke all access that was granted before (docs/decisions/0026).
 */
async function claimAccount(tx: Tx, service: AccountsService, { id }: AccountRow, now: Date) {
  const account = await lockAccount(tx, id)
  if (account === undefined || isAddressVerified(account) || account.disabledAt !== null) return account
  await endAccessOfOthers(tx, service, account, now)
  return tx
    .updateTable('account')
    .set({ emailVerifiedAt: now, passwordHash: null, passwordChangedAt: now, modifiedAt: now })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

async function makeAccountFor(tx: Tx, service: AccountsService, identity: Identity, context: SignInContext) {
  const { now, address, acceptLanguage, isLocal } = context
  const { random, config, firstAccount } = service
  const { email, name, lname } = identity
  const language: Language | '' = preferredLanguage(acceptLanguage) ?? ''
  // The provider may know people outside this service's operators, and its sign-in page asks for no set-up code.
  if (await firstAccount.needsCode(tx, { isLocal })) throw new ProviderError('set_up_code_required')
  const mayBeFirst = await firstAccount.permit(tx, { isLocal, address, setUpCode: undefined })
  const mayBeMade =
    config.signUp === 'open' || (config.signUp === 'invite' && (await consumeInvitations(tx, email, now)))
  if (!mayBeMade && (await hasAccounts(tx))) throw new ProviderError('sign_up_closed')
  const accountId = random.uuid(now)
  const person = { accountId, email, passwordHash: null, name, lname, timeZone: '', language, emailVerifiedAt: now }
  await tx.deleteFrom('pendingSignUp').where('emailKey', '=', addressKey(email)).execute()
  return createAccount(tx, service, person, { now, address, onlyAsFirst: !mayBeMade, mayBeFirst })
}

/** Consume the invitations to an address, which the provider has verified. Returns false when there was none. */
async function consumeInvitations(tx: Tx, email: string, now: Date): Promise<boolean> {
  const used = await tx
    .deleteFrom('signUpInvitation')
    .where('emailKey', '=', addressKey(email))
    .where('expiresAt', '>', now)
    .returning('tokenHash')
    .execute()
  return used.length > 0
}
