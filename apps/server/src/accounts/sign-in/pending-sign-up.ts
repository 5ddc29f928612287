import { addressKey } from '@parley/rules/text/email-address'
import { newToken } from '../../access/credentials/token-secret.ts'
import { problem } from '../../platform/http/problem.ts'
import type { Database, Tx } from '../../tables/tables.ts'
import { type AccountRow, findAccountByAddress } from '../account/account-store.ts'
import { draftAccount, makeAccount, type NewPerson } from '../account/make-account.ts'
import { viewProfile } from '../account/profile-view.ts'
import type { AccountsService } from '../accounts-service.ts'
import { alreadyHaveAccountEmail, confirmAddressEmail, emailLanguage } from '../email-links/account-emails.ts'
import { queueEmail } from '../email-links/queue-email.ts'

type PersonWithPassword = NewPerson & {
  passwordHash: string
  /** Whether the account may be the first: it was asked for the set-up code where one is needed. */
  mayBeFirst: boolean
}

/** A day: mail can be slow, and people go home. */
const pendingSignUpLifetimeMs = 24 * 60 * 60 * 1000

/**
 * Keeps a sign-up until its address is confirmed; there is no account before. When the address has one already, the very
 * same is done, and only the mail differs: neither the answer nor its time tells.
 */
export async function deferSignUp(tx: Tx, service: AccountsService, person: PersonWithPassword, now: Date) {
  const { baseUrl } = service.config
  const taken = await findAccountByAddress(tx, addressKey(person.email))
  const token = await keepPendingSignUp(tx, service, person, now)
  const letter =
    taken === undefined
      ? confirmAddressEmail({ baseUrl, to: person.email, language: emailLanguage(person.language), token })
      : alreadyHaveAccountEmail({
          baseUrl,
          to: taken.email,
          language: taken.language || emailLanguage(person.language),
        })
  await queueEmail(tx, service, letter)
  // The room is made with the account.
  const { mayBeFirst: _, ...shown } = person
  const room = { tenantId: '', roomCode: '', chatId: '', chatUserId: '' }
  return { user: viewProfile({ ...draftAccount(shown, now), ...room }, { emailVerified: false }) }
}

/** The person of the newest sign-up that waits for this address. */
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

/** The token that confirms the address; the links mailed before stay good. */
export async function keepPendingSignUp(
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

/** Whose sign-up it is that a link belongs to, and which password was chosen; the link stays good. */
export const findPendingSignUp = (database: Database, tokenHash: Buffer, now: Date) =>
  database
    .selectFrom('pendingSignUp')
    .select(['email', 'emailKey', 'passwordHash'])
    .where('tokenHash', '=', tokenHash)
    .where('expiresAt', '>', now)
    .executeTakeFirst()

/** Makes the account that waited for its address, with another password where one is given. @throws invalid_token, sign_up_closed, set_up_code_required */
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
  // What others tried with this address before its owner confirmed it is void.
  await tx.deleteFrom('pendingSignUp').where('emailKey', '=', emailKey).execute()
  if ((await findAccountByAddress(tx, emailKey)) !== undefined) throw problem('invalid_token')
  const onlyAsFirst = service.config.signUp !== 'open'
  const chosen = { ...person, ...(passwordHash !== undefined && { passwordHash }), emailVerifiedAt: now }
  return makeAccount(tx, service, chosen, { now, address, onlyAsFirst, mayBeFirst })
}
