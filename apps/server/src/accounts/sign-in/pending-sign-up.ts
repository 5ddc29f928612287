import { addressKey } from '@parley/rules/text/email-address'
import { newToken } from '../../access/credentials/token-secret.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import { problem } from '../../platform/http/problem.ts'
import { type AccountRow, findAccountByAddress } from '../account/account-store.ts'
import { createAccount, draftAccount, type NewPerson } from '../account/create-account.ts'
import { viewProfile } from '../account/profile-view.ts'
import type { AccountsService } from '../accounts-service.ts'
import { alreadyHaveAccountEmail, confirmAddressEmail, emailLanguage } from '../email-links/account-emails.ts'
import { queueEmail } from '../email-links/queue-email.ts'

type PersonWithPassword = NewPerson & {
  passwordHash: string
  /** Whether the account may be the first: the set-up code was checked where it is needed. */
  mayBeFirst: boolean
}

/** A day: email can be slow, and people go home. */
const pendingSignUpLifetimeMs = 24 * 60 * 60 * 1000

/**
 * Store a sign-up until its address is verified; the account is created then. The same steps run when the address has
 * an account, and only the email differs, so that neither the reply nor its time reveals it. Nor does the reply tell
 * whether an email is sent: the address may have been sent enough (`maySendTo`).
 */
export async function deferSignUp(
  tx: Tx,
  service: AccountsService,
  { sendsLink, ...person }: PersonWithPassword & { sendsLink: boolean },
  now: Date,
) {
  const { baseUrl } = service.config
  const existing = await findAccountByAddress(tx, addressKey(person.email))
  const token = await insertPendingSignUp(tx, service, person, now)
  const message =
    existing === undefined
      ? confirmAddressEmail({ baseUrl, to: person.email, language: emailLanguage(person.language), token })
      : alreadyHaveAccountEmail({
          baseUrl,
          to: existing.email,
          language: existing.language || emailLanguage(person.language),
        })
  if (sendsLink) await queueEmail(tx, service, message)
  // The room is created with the account.
  const { mayBeFirst: _, ...shown } = person
  const room = { tenantId: '', roomCode: '', chatId: '', chatUserId: '' }
  return { user: viewProfile({ ...draftAccount(shown, now), ...room }, { emailVerified: false }) }
}

/** Find the newest pending sign-up of an address. */
export async function findPendingPerson(
  database: Database,
  key: string,
  now: Date,
): Promise<PersonWithPassword | undefined> {
  const pending = await database
    .selectFrom('pendingSignUp')
    .select(['accountId', 'email', 'passwordHash', 'name', 'lname', 'timeZone', 'language', 'mayBeFirst'])
    .where('emailKey', '=', key)
    .where('expiresAt', '>', now)
    .orderBy('createdAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  return pending && { ...pending, emailVerifiedAt: null }
}

/** Insert a pending sign-up and return the token that confirms its address; earlier links stay valid. */
export async function insertPendingSignUp(
  tx: Tx,
  { random }: Pick<AccountsService, 'random'>,
  { emailVerifiedAt: _, ...person }: PersonWithPassword,
  now: Date,
): Promise<string> {
  const { token, hash } = newToken('pendingSignUp', random)
  const expiresAt = new Date(now.getTime() + pendingSignUpLifetimeMs)
  await tx
    .insertInto('pendingSignUp')
    .values({ ...person, tokenHash: hash, emailKey: addressKey(person.email), createdAt: now, expiresAt })
    .execute()
  return token
}

/** Find the sign-up of a link, without consuming it. */
export const findPendingSignUp = (database: Database, tokenHash: Buffer, now: Date) =>
  database
    .selectFrom('pendingSignUp')
    .select(['email', 'emailKey', 'passwordHash'])
    .where('tokenHash', '=', tokenHash)
    .where('expiresAt', '>', now)
    .executeTakeFirst()

/**
 * Create the account of a pending sign-up, with a new password if one is given.
 * @throws invalid_token, sign_up_closed, set_up_code_required
 */
export async function completeSignUp(
  tx: Tx,
  service: AccountsService,
  tokenHash: Buffer,
  { now, address, passwordHash }: { now: Date; address: string; passwordHash?: string },
): Promise<AccountRow> {
  const pending = await tx
    .selectFrom('pendingSignUp')
    .select(['accountId', 'email', 'emailKey', 'passwordHash', 'name', 'lname', 'timeZone', 'language', 'mayBeFirst'])
    .where('tokenHash', '=', tokenHash)
    .where('expiresAt', '>', now)
    .executeTakeFirst()
  if (pending === undefined) throw problem('invalid_token')
  const { emailKey, mayBeFirst, ...person } = pending
  // Other sign-ups with this address are void once its owner confirms one.
  await tx.deleteFrom('pendingSignUp').where('emailKey', '=', emailKey).execute()
  if ((await findAccountByAddress(tx, emailKey)) !== undefined) throw problem('invalid_token')
  const onlyAsFirst = service.config.signUp !== 'open'
  const confirmed = { ...person, ...(passwordHash !== undefined && { passwordHash }), emailVerifiedAt: now }
  return createAccount(tx, service, confirmed, { now, address, onlyAsFirst, mayBeFirst })
}
