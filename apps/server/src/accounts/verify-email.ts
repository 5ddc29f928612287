import { type BodyOf, type Endpoint, verifyEmail } from '@parley/contract'
import { addressKey } from '@parley/rules/text/email-address'
import { addViolations, combine, type Parsed, readOptional, refusedBySchema } from '@parley/rules/text/parsed'
import { violationAt } from '@parley/rules/text/violation'
import { audit } from '../access/audit.ts'
import { readToken } from '../access/credentials/token-secret.ts'
import { networkOf } from '../access/network.ts'
import type { HandlerContext } from '../access/serve.ts'
import { isAddressVerified } from '../access/trusted-address.ts'
import { type Database, inTransaction } from '../platform/database/database.ts'
import { problem } from '../platform/http/problem.ts'
import { findAccount, hasSamePassword, isAddressTaken, lockAccount, setPassword } from './account/account-store.ts'
import { readEmail, readNewPassword, requireDifferentFromEmail } from './account/person-fields.ts'
import type { Dependencies } from './dependencies.ts'
import { emailLanguage, passwordChangedEmail } from './email-links/account-emails.ts'
import { consumeMailedLink, findMailedLink } from './email-links/mailed-link-store.ts'
import { queueLinkEmail } from './email-links/mailed-links.ts'
import { queueEmail } from './email-links/queue-email.ts'
import { endAccessOfOthers } from './end-access.ts'
import { tryPassword } from './password-checks.ts'
import { beginSession } from './sessions/sessions.ts'
import { completeSignUp, findPendingSignUp } from './sign-up.ts'

/**
 * Verify an address by an emailed link. The link alone does not sign in: its reader owns the address, but another
 * person may have signed up with it. The password of the sign-up proves both; a new password claims the account.
 * A link that verified at once would make the owner of the address verify another person's account.
 */
export function registerVerifyEmail(service: Dependencies) {
  const { serve, clock, attemptLimits, sessionCookie } = service
  serve(verifyEmail, {
    read: ({ body }) => readVerification(body),
    handle: async ({ input: sent, request, answer, database }) => {
      const now = clock.now()
      const { address, acceptLanguage } = request
      if (sent.kind === 'confirm') {
        const session = await confirm(database, service, sent.token, { now, request, proof: sent.proof })
        if (session === undefined) return { status: 'Your email address is confirmed. Sign in now.' }
        answer.header('set-cookie', sessionCookie.set(session.token))
        return { status: 'Your email address is confirmed, and you are signed in.', ...session }
      }
      await attemptLimits.countOrRefuse('requestsOfNetwork', networkOf(address))
      if (await attemptLimits.maySendTo(addressKey(sent.email))) {
        await queueLinkEmail(database, { email: sent.email, link: 'verify-email', acceptLanguage })
      }
      answer.status(202)
      return { status: 'If this address waits to be confirmed, a new link is on its way.' }
    },
  })
}

type Verification = { kind: 'request-link'; email: string } | { kind: 'confirm'; token: string; proof: Proof }

function readVerification(body: Partial<BodyOf<typeof verifyEmail>>): Parsed<Verification> {
  const { email, token, password, newPassword } = body
  // Refused fields are present without a value.
  const isWhole = 'email' in body || 'token' in body
  const missing = violationAt('', { code: 'required', message: 'must hold token, or email' })
  const areBoth = 'password' in body && 'newPassword' in body
  const both = violationAt('/newPassword', { code: 'not_allowed', message: 'cannot be sent together with password' })
  const fields = combine({
    email: readOptional(email, readEmail),
    newPassword: readOptional(newPassword, (text) => readNewPassword('/newPassword', text, undefined)),
  })
  const parsed = addViolations(fields, isWhole ? undefined : missing, areBoth ? both : undefined)
  if (parsed.violations !== undefined) return parsed
  if (token !== undefined) return { value: { kind: 'confirm', token, proof: proofOf({ password, newPassword }) } }
  return email === undefined ? refusedBySchema : { value: { kind: 'request-link', email } }
}

/**
 * Confirm by the token's kind. Return a session if a password was sent. @throws invalid_token, and what the two
 * functions throw
 */
async function confirm(database: Database, service: Dependencies, text: string, confirmation: Confirmation) {
  const token = readToken(text)
  switch (token?.kind) {
    case 'pendingSignUp':
      return confirmSignUp(database, service, token.hash, confirmation)
    case 'verifyEmail':
      return confirmAccount(database, service, token.hash, confirmation)
    default:
      throw problem('invalid_token')
  }
}

/**
 * Verify the address of an account that was created while EMAIL_VERIFICATION was off. Another person may have created
 * it with this address. Unless a session or the password shows that the link's reader is the account's user, all access
 * that was granted before ends.
 * @throws invalid_token, wrong_credentials
 */
async function confirmAccount(
  database: Database,
  service: Dependencies,
  tokenHash: Buffer,
  confirmation: Confirmation,
) {
  const { random, config } = service
  const { proof, request, now } = confirmation
  const lookUp = { tokenHash, purpose: 'verify-email', now } as const
  const link = await findMailedLink(database, lookUp)
  const account = link && (await findAccount(database, link.accountId))
  if (account === undefined) throw problem('invalid_token')
  const passwordHash = await verifyProof(service, confirmation, { ...account, tokenHash })
  const provedIdentity =
    proof.kind === 'password' || (proof.kind === 'link' && (await request.session())?.accountId === account.id)

  return inTransaction(database, async (tx) => {
    const lockedAccount = await lockAccount(tx, account.id)
    const used = await consumeMailedLink(tx, lookUp)
    if (lockedAccount === undefined || lockedAccount.disabledAt !== null || used === undefined)
      throw problem('invalid_token')
    if (!hasSamePassword(lockedAccount, account)) throw problem('invalid_token')
    const isFirst = !isAddressVerified(lockedAccount)
    // A link of a verified account must not set a password.
    if (!isFirst && passwordHash !== undefined) throw problem('invalid_token')
    if (isFirst && !provedIdentity) await endAccessOfOthers(tx, service, lockedAccount, now)
    if (passwordHash !== undefined) {
      await setPassword(tx, lockedAccount.id, passwordHash, now)
      const language = emailLanguage(lockedAccount.language, request.acceptLanguage)
      await queueEmail(
        tx,
        service,
        passwordChangedEmail({ baseUrl: config.baseUrl, to: lockedAccount.email, language }),
      )
    }
    if (isFirst) {
      await tx
        .updateTable('account')
        .set({ emailVerifiedAt: now, modifiedAt: now })
        .where('id', '=', lockedAccount.id)
        .execute()
      const entry = { tenantId: lockedAccount.tenantId, actorId: lockedAccount.id, subjectId: lockedAccount.id }
      const detail = provedIdentity ? {} : { claimed: true }
      await audit(tx, random, now, { ...entry, action: 'email.verified', detail, address: request.address })
    }
    if (proof.kind === 'link') return undefined
    const confirmed = await findAccount(tx, lockedAccount.id)
    if (confirmed === undefined) throw problem('invalid_token')
    return beginSession(tx, service, confirmed, { request, now, by: 'password' })
  })
}

/**
 * Create the account of a confirmed sign-up. Nothing was granted before, so only the password may be known to others; a
 * new one replaces it.
 * @throws invalid_token, wrong_credentials, sign_up_closed, set_up_code_required
 */
async function confirmSignUp(database: Database, service: Dependencies, tokenHash: Buffer, confirmation: Confirmation) {
  const { proof, request, now } = confirmation
  const pending = await findPendingSignUp(database, tokenHash, now)
  if (pending === undefined) throw problem('invalid_token')
  const passwordHash = await verifyProof(service, confirmation, { ...pending, tokenHash })
  return inTransaction(database, async (tx) => {
    const context = { now, address: request.address, ...(passwordHash !== undefined && { passwordHash }) }
    const account = await completeSignUp(tx, service, tokenHash, context)
    return proof.kind === 'link' ? undefined : beginSession(tx, service, account, { request, now, by: 'sign-up' })
  }).catch((error) => {
    throw isAddressTaken(error) ? problem('invalid_token') : error
  })
}

/** What the reader of an emailed link proves in addition to it. */
type Proof =
  | { kind: 'link' }
  /** The caller knows the password of the sign-up and is the same person. */
  | { kind: 'password'; password: string }
  /** The caller sets a new password, because another person may have signed up. */
  | { kind: 'new-password'; newPassword: string }

type Confirmation = {
  proof: Proof
  request: Pick<HandlerContext<Endpoint>['request'], 'address' | 'userAgent' | 'acceptLanguage' | 'session'>
  now: Date
}

function proofOf(sent: { password: string | undefined; newPassword: string | undefined }): Proof {
  if (sent.newPassword !== undefined) return { kind: 'new-password', newPassword: sent.newPassword }
  return sent.password === undefined ? { kind: 'link' } : { kind: 'password', password: sent.password }
}

/** The address and password that a link belongs to. */
type LinkedPassword = { email: string; emailKey: string; passwordHash: string | null; tokenHash: Buffer }

/**
 * Verify the proof before the link is consumed, and return the hash of a new password. A wrong password leaves the link
 * valid, and counts against the link, so that other people cannot lock the owner out.
 * @throws wrong_credentials, invalid_request, too_many_requests, unavailable
 */
async function verifyProof(
  service: Dependencies,
  { proof, request: { address } }: Confirmation,
  { email, emailKey, passwordHash, tokenHash }: LinkedPassword,
): Promise<string | undefined> {
  const requester = { address, addressKey: emailKey }
  switch (proof.kind) {
    case 'link':
      return undefined
    case 'password': {
      const counters = [{ limit: 'failuresFromKnownNetwork', key: `confirm ${tokenHash.toString('hex')}` } as const]
      const passwordHashes = [passwordHash ?? undefined]
      await tryPassword(service, { password: proof.password, passwordHashes, counters, requester })
      return undefined
    }
    case 'new-password': {
      requireDifferentFromEmail(proof.newPassword, email)
      return service.passwords.hash(proof.newPassword, requester)
    }
  }
}
