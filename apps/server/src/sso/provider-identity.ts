import { addressKey, isEmailAddress } from '@parley/rules/text/email-address'
import type { Language } from '@parley/texts/languages'
import { audit } from '../access/audit.ts'
import { isAddressVerified } from '../access/trusted-address.ts'
import { type AccountRow, findAccountByAddress, hasAccounts, lockAccount } from '../accounts/account/account-store.ts'
import { createAccount } from '../accounts/account/create-account.ts'
import { lastNameLimits, nameLimits, readPersonName } from '../accounts/account/person-fields.ts'
import type { Dependencies } from '../accounts/dependencies.ts'
import { endAccessOfOthers } from '../accounts/end-access.ts'
import type { Tx } from '../platform/database/database.ts'
import { preferredLanguage } from '../platform/http/content-negotiation.ts'
import { ProviderError } from './provider-error.ts'

type SignInContext = { now: Date; address: string; acceptLanguage: string }

/**
 * Find or create the account of an identity: by issuer and subject, else by the verified address, else a new account as
 * SIGN_UP allows.
 * @throws ProviderError address_unverified, set_up_code_required, sign_up_closed, account_disabled
 */
export async function accountOfIdentity(
  tx: Tx,
  service: Dependencies,
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

async function connect(tx: Tx, service: Dependencies, identity: Identity, context: SignInContext) {
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
 * revoke all access that was granted before (end-access.ts).
 */
async function claimAccount(tx: Tx, service: Dependencies, { id }: AccountRow, now: Date) {
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

async function makeAccountFor(tx: Tx, service: Dependencies, identity: Identity, context: SignInContext) {
  const { now, address, acceptLanguage } = context
  const { random, config, firstAccount } = service
  const { email, name, lname } = identity
  const language: Language | '' = preferredLanguage(acceptLanguage) ?? ''
  // The provider may know people outside this service's operators, and its sign-in page asks for no set-up code.
  if ((await firstAccount.findCode(tx)) !== undefined) throw new ProviderError('set_up_code_required')
  const mayBeFirst = await firstAccount.permit(tx, { address, setUpCode: undefined })
  const mayBeMade =
    config.signUp === 'open' || (config.signUp === 'invite' && (await consumeInvitations(tx, email, now)))
  if (!mayBeMade && (await hasAccounts(tx))) throw new ProviderError('sign_up_closed')
  const accountId = random.uuid(now)
  const person = { accountId, email, passwordHash: null, name, lname, timeZone: '', language, emailVerifiedAt: now }
  await tx.deleteFrom('pendingSignUp').where('emailKey', '=', addressKey(email)).execute()
  return createAccount(tx, service, person, { now, address, onlyAsFirst: !mayBeMade, mayBeFirst })
}

/** Consume the invitations to an address, which the provider has verified. Return false when there was none. */
async function consumeInvitations(tx: Tx, email: string, now: Date): Promise<boolean> {
  const used = await tx
    .deleteFrom('signUpInvitation')
    .where('emailKey', '=', addressKey(email))
    .where('expiresAt', '>', now)
    .returning('tokenHash')
    .execute()
  return used.length > 0
}

/** A user whom the provider has authenticated. */
export type Identity = {
  issuer: string
  subject: string
  email: string
  emailVerified: boolean
  name: string
  lname: string
}

/** The claims of an ID token or a UserInfo response (OpenID Connect Core 1.0, 5.1). */
type Claims = Record<string, unknown>

/** Map claims to the fields of an account; names that an account may not have become empty. */
export function readIdentity(issuer: string, subject: string, claims: Claims): Identity {
  const text = (name: string) => (typeof claims[name] === 'string' ? claims[name].trim() : '')
  const email = text('email')
  const validName = (name: string, limits: typeof nameLimits) => readPersonName('/name', name, limits).value ?? ''
  const name = validName(text('given_name'), nameLimits)
  return {
    issuer,
    subject,
    email,
    emailVerified: claims.email_verified === true,
    name: name || validName(text('name'), nameLimits) || (email.split('@')[0] ?? ''),
    // A full name in `name` contains the last name already.
    lname: name === '' ? '' : validName(text('family_name'), lastNameLimits),
  }
}
