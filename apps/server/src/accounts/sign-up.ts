import { signUp } from '@parley/contract'
import { addressKey } from '@parley/rules/text/email-address'
import { combine, readOptional, readRequired } from '@parley/rules/text/parsed'
import type { Language } from '@parley/texts/languages'
import { newToken, readTokenOf } from '../access/credentials/token-secret.ts'
import { networkOf } from '../access/network.ts'
import type { Config } from '../platform/config/config.ts'
import { type Database, inTransaction, type Tx } from '../platform/database/database.ts'
import { preferredLanguage } from '../platform/http/content-negotiation.ts'
import { problem } from '../platform/http/problem.ts'
import { type AccountRow, findAccountByAddress, hasAccounts, isAddressTaken } from './account/account-store.ts'
import { createAccount, draftAccount, type NewPerson } from './account/create-account.ts'
import {
  lastNameLimits,
  nameLimits,
  readEmail,
  readNewPassword,
  readPersonName,
  readPersonTimeZone,
} from './account/person-fields.ts'
import { viewProfile } from './account/profile.ts'
import type { Dependencies } from './dependencies.ts'
import { alreadyHaveAccountEmail, confirmAddressEmail, emailLanguage } from './email-links/account-emails.ts'
import { queueEmail } from './email-links/queue-email.ts'
import { beginSession } from './sessions/sessions.ts'

/**
 * Sign up. With verification, the reply and its time are the same whether or not the address has an account: the owner
 * of the address learns it by email. An invitation that was emailed verifies the address.
 */
export function registerSignUp(service: Dependencies) {
  const { serve, clock, random, config, passwords, attemptLimits, sessionCookie, firstAccount } = service
  serve(signUp, {
    read: ({ body: { email, password, name, lname, timeZone } }) =>
      combine({
        email: readRequired(email, readEmail),
        password: readRequired(password, (text) => readNewPassword('/password', text, email)),
        name: readRequired(name, (text) => readPersonName('/name', text, nameLimits)),
        lname: readOptional(lname, (text) => readPersonName('/lname', text, lastNameLimits)),
        timeZone: readOptional(timeZone, (text) => readPersonTimeZone(text, config.timeZoneAliases)),
      }),
    handle: async ({
      body,
      input: { email, password, name, lname = '', timeZone = '' },
      request,
      answer,
      database,
    }) => {
      const now = clock.now()
      await attemptLimits.countOrRefuse('requestsOfNetwork', networkOf(request.address))
      const permission = await findSignUpPermission(database, config.signUp, {
        invitation: body.invitation,
        email,
        now,
      })
      const { address } = request
      const { setUpCode } = body
      const mayBeFirst = await firstAccount.permit(database, { address, setUpCode })
      const confirmFirst = config.emailVerification === 'required' && permission.invitation === undefined
      const sendsLink = confirmFirst && (await attemptLimits.maySendTo(addressKey(email)))

      const passwordHash = await passwords.hash(password, { address, addressKey: addressKey(email) })
      const emailVerifiedAt = permission.invitation?.provesAddress ? now : null
      const language: Language | '' = preferredLanguage(request.acceptLanguage) ?? ''
      const fields = { email, name, lname, timeZone, language }
      const person = { ...fields, accountId: random.uuid(now), passwordHash, emailVerifiedAt }
      if (confirmFirst) {
        answer.status(202)
        return inTransaction(database, (tx) => deferSignUp(tx, service, { ...person, mayBeFirst, sendsLink }, now))
      }

      const { onlyAsFirst } = permission
      const session = await inTransaction(database, async (tx) => {
        if (permission.invitation !== undefined) await consumeInvitation(tx, permission.invitation.tokenHash)
        const account = await createAccount(tx, service, person, { now, address, onlyAsFirst, mayBeFirst })
        return beginSession(tx, service, account, { request, now, by: 'sign-up' })
      }).catch((error) => {
        throw isAddressTaken(error) ? problem('email_taken') : error
      })
      answer.header('set-cookie', sessionCookie.set(session.token))
      return session
    },
  })
}

type SignUpPermission = {
  /** Sign-up is open for the first account only; whether this is the first is decided when it is created. */
  onlyAsFirst: boolean
  /** An invitation of this address. `provesAddress`: it was emailed, and no one else has seen its link. */
  invitation: { tokenHash: Buffer; provesAddress: boolean } | undefined
}

/**
 * Decide whether a person may sign up, by SIGN_UP and the invitation. The first account is always possible, because
 * invitations need an account.
 * @throws sign_up_closed, invitation_required, invalid_token
 */
async function findSignUpPermission(
  database: Database,
  signUp: Config['signUp'],
  visitor: { invitation: string | undefined; email: string; now: Date },
): Promise<SignUpPermission> {
  const onlyAsFirst = signUp !== 'open' && !(await hasAccounts(database))
  if (signUp === 'closed' && !onlyAsFirst) throw problem('sign_up_closed')
  if (visitor.invitation !== undefined) {
    return { onlyAsFirst: false, invitation: await findInvitation(database, visitor.invitation, visitor) }
  }
  if (signUp === 'invite' && !onlyAsFirst) throw problem('invitation_required')
  return { onlyAsFirst, invitation: undefined }
}

async function findInvitation(database: Database, token: string, { email, now }: { email: string; now: Date }) {
  const tokenHash = readTokenOf('invitation', token)
  if (tokenHash === undefined) throw problem('invalid_token')
  const invitation = await database
    .selectFrom('signUpInvitation')
    .select('linkShown')
    .where('tokenHash', '=', tokenHash)
    .where('emailKey', '=', addressKey(email))
    .where('expiresAt', '>', now)
    .executeTakeFirst()
  if (invitation === undefined) throw problem('invalid_token')
  return { tokenHash, provesAddress: !invitation.linkShown }
}

/** Consume an invitation; of two concurrent uses, one succeeds. @throws invalid_token */
async function consumeInvitation(tx: Tx, tokenHash: Buffer): Promise<void> {
  const { numDeletedRows } = await tx
    .deleteFrom('signUpInvitation')
    .where('tokenHash', '=', tokenHash)
    .executeTakeFirst()
  if (numDeletedRows === 0n) throw problem('invalid_token')
}

type PersonWithPassword = NewPerson & {
  passwordHash: string
  /** Whether the account may be the first: the sign-up was sent with the set-up code. */
  mayBeFirst: boolean
}

/** A day: email can be slow, and people go home. */
const pendingSignUpLifetimeMs = 24 * 60 * 60 * 1000

/**
 * Store a sign-up until its address is verified; the account is created then. For an address that has an account, the
 * same steps run and only the email differs, so that neither the reply nor its time reveals the account. The reply does
 * not reveal either whether an email is sent: the address may have reached its limit (`maySendTo`).
 */
async function deferSignUp(
  tx: Tx,
  service: Dependencies,
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
  return { user: viewProfile({ ...draftAccount(shown, now), ...room }, { emailVerified: false, baseUrl }) }
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
  { random }: Pick<Dependencies, 'random'>,
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
  service: Dependencies,
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
