import { type BodyOf, changePassword, resetPassword } from '@parley/contract'
import { addressKey } from '@parley/rules/text/email-address'
import {
  addViolations,
  combine,
  type Parsed,
  readOptional,
  readRequired,
  refusedBySchema,
} from '@parley/rules/text/parsed'
import { violationAt } from '@parley/rules/text/violation'
import { audit } from '../access/audit.ts'
import { lockSession } from '../access/credentials/session-store.ts'
import { readTokenOf } from '../access/credentials/token-secret.ts'
import { networkOf } from '../access/network.ts'
import { isAddressVerified } from '../access/trusted-address.ts'
import { type Database, inTransaction } from '../platform/database/database.ts'
import { problem } from '../platform/http/problem.ts'
import { findAccount, lockAccount, setPassword } from './account/account-store.ts'
import { readEmail, readNewPassword, requireDifferentFromEmail } from './account/person-fields.ts'
import type { Dependencies } from './dependencies.ts'
import { emailLanguage, passwordChangedEmail } from './email-links/account-emails.ts'
import { consumeMailedLink, findMailedLink } from './email-links/mailed-link-store.ts'
import { queueLinkEmail } from './email-links/mailed-links.ts'
import { queuePasswordChangedEmail } from './email-links/queue-email.ts'
import { endAccessOfOthers, endSignIns } from './end-access.ts'
import { requireOwnPassword } from './password-checks.ts'
import { networkHash, rememberNetwork } from './sessions/known-network-store.ts'
import { sessionOf } from './sessions/sessions.ts'

/** Register the endpoints that change a password. */
export function registerPasswords(dependencies: Dependencies): void {
  serveChangePassword(dependencies)
  serveResetPassword(dependencies)
}

/**
 * Change the password. Unless the request declines it, end all other sessions, tokens and passkeys, so that a person
 * who knew the old password loses access.
 */
function serveChangePassword(service: Dependencies) {
  const { serve, clock, random, config, passwords } = service
  serve(changePassword, {
    read: ({ body }) => readRequired(body.newPassword, (text) => readNewPassword('/newPassword', text, undefined)),
    handle: async ({ caller, body, input: newPassword, request, database }) => {
      const now = clock.now()
      const sessionId = sessionOf(caller)
      const account = await findAccount(database, caller.accountId)
      if (account === undefined) throw problem('unauthorized')
      requireDifferentFromEmail(newPassword, account.email)
      await requireOwnPassword(service, { account, password: body.currentPassword, address: request.address, now })
      const passwordHash = await passwords.hash(newPassword, {
        address: request.address,
        addressKey: account.emailKey,
      })

      await inTransaction(database, async (tx) => {
        const lockedAccount = await lockAccount(tx, account.id)
        // The session or the account may have ended, or the password changed, while the new password was hashed.
        if (lockedAccount?.passwordHash !== account.passwordHash || !(await lockSession(tx, sessionId))) {
          throw problem('wrong_credentials')
        }
        await setPassword(tx, account.id, passwordHash, now)
        if (body.signOutEverywhere !== false) {
          await endSignIns(tx, service, account.id, now, sessionId)
        }
        const entry = { tenantId: account.tenantId, actorId: account.id, subjectId: account.id }
        const detail = { signOutEverywhere: body.signOutEverywhere !== false }
        await audit(tx, random, now, { ...entry, action: 'password.changed', detail, address: request.address })
        const language = emailLanguage(account.language, request.acceptLanguage)
        const message = passwordChangedEmail({ baseUrl: config.baseUrl, to: account.email, language })
        await queuePasswordChangedEmail(tx, service, account, message, now)
      })
      return { status: 'Your password is changed.' }
    },
  })
}

function serveResetPassword(service: Dependencies) {
  const { serve, clock, attemptLimits } = service
  serve(resetPassword, {
    read: ({ body }) => readResetRequest(body),
    handle: async ({ input: sent, request, answer, database }) => {
      const now = clock.now()
      const { address, acceptLanguage } = request
      if (sent.kind === 'reset') {
        await setNewPassword(database, service, { ...sent, address, acceptLanguage, now })
        return { status: 'Your password is changed. Sign in with it.' }
      }
      await attemptLimits.countOrRefuse('requestsOfNetwork', networkOf(address))
      // The account is looked up later by a job: neither the reply nor its time reveals it.
      if (await attemptLimits.maySendTo(addressKey(sent.email))) {
        await queueLinkEmail(database, { email: sent.email, link: 'reset-password', acceptLanguage })
      }
      answer.status(202)
      return { status: 'If there is an account with this address, a link to choose a new password is on its way.' }
    },
  })
}

type ResetRequest = { kind: 'request-link'; email: string } | { kind: 'reset'; token: string; newPassword: string }

function readResetRequest(body: Partial<BodyOf<typeof resetPassword>>): Parsed<ResetRequest> {
  const { email, token, newPassword } = body
  // Refused fields are present without a value.
  const isWhole = 'email' in body || ('token' in body && 'newPassword' in body)
  const missing = violationAt('', { code: 'required', message: 'must hold email, or token and newPassword' })
  const fields = combine({
    email: readOptional(email, readEmail),
    newPassword: readOptional(newPassword, (text) => readNewPassword('/newPassword', text, undefined)),
  })
  const parsed = addViolations(fields, isWhole ? undefined : missing)
  if (parsed.violations !== undefined) return parsed
  if (token !== undefined && newPassword !== undefined) return { value: { kind: 'reset', token, newPassword } }
  return email === undefined ? refusedBySchema : { value: { kind: 'request-link', email } }
}

type NewPassword = { token: string; newPassword: string; address: string; acceptLanguage: string; now: Date }

/**
 * Set a new password by an emailed link. The reader of an address's email owns its account, so sign-ins of others end;
 * if the address was unverified, all access granted before ends (`endAccessOfOthers`). @throws invalid_token
 */
async function setNewPassword(
  database: Database,
  service: Dependencies,
  { token, newPassword, address, acceptLanguage, now }: NewPassword,
) {
  const { random, config, passwords, encryption } = service
  const tokenHash = readTokenOf('resetPassword', token)
  if (tokenHash === undefined) throw problem('invalid_token')
  const lookUp = { tokenHash, purpose: 'reset-password', now } as const
  const link = await findMailedLink(database, lookUp)
  const account = link && (await findAccount(database, link.accountId))
  if (account === undefined) throw problem('invalid_token')
  requireDifferentFromEmail(newPassword, account.email)
  const passwordHash = await passwords.hash(newPassword, { address, addressKey: account.emailKey })

  await inTransaction(database, async (tx) => {
    const lockedAccount = await lockAccount(tx, account.id)
    const used = await consumeMailedLink(tx, lookUp)
    if (lockedAccount === undefined || lockedAccount.disabledAt !== null || used === undefined)
      throw problem('invalid_token')
    const isClaim = !isAddressVerified(lockedAccount)
    if (isClaim) await endAccessOfOthers(tx, service, lockedAccount, now)
    else await endSignIns(tx, service, lockedAccount.id, now)
    await setPassword(tx, lockedAccount.id, passwordHash, now)
    await tx
      .updateTable('account')
      .set({ emailVerifiedAt: lockedAccount.emailVerifiedAt ?? now })
      .where('id', '=', lockedAccount.id)
      .execute()
    await rememberNetwork(tx, lockedAccount.id, networkHash(encryption, address), now)
    const entry = { tenantId: lockedAccount.tenantId, actorId: lockedAccount.id, subjectId: lockedAccount.id }
    const detail = isClaim ? { claimed: true } : {}
    await audit(tx, random, now, { ...entry, action: 'password.reset', detail, address })
    const language = emailLanguage(lockedAccount.language, acceptLanguage)
    const message = passwordChangedEmail({ baseUrl: config.baseUrl, to: lockedAccount.email, language })
    await queuePasswordChangedEmail(tx, service, lockedAccount, message, now)
  })
}
