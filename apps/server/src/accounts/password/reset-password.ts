import { resetPassword } from '@parley/contract'
import { addressKey } from '@parley/rules/text/email-address'
import { audit } from '../../access/audit.ts'
import { readTokenOf } from '../../access/credentials/token-secret.ts'
import { networkOf } from '../../access/network.ts'
import { isAddressVerified } from '../../access/trusted-address.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { invalidRequest, problem } from '../../platform/http/problem.ts'
import { findAccount, lockAccount } from '../account/account-store.ts'
import { validateEmail, validateNewPassword } from '../account/field-checks.ts'
import type { AccountsService } from '../accounts-service.ts'
import { emailLanguage, passwordChangedEmail } from '../email-links/account-emails.ts'
import { requestLinkMail } from '../email-links/link-mail-job.ts'
import { findMailedLink, useMailedLink } from '../email-links/mailed-link-store.ts'
import { queuePasswordChangedEmail } from '../email-links/queue-email.ts'
import { endAccessOfOthers, endSignIns } from '../ownership/end-access-of-others.ts'
import { networkHash, rememberNetwork } from '../sessions/known-network.ts'
import { setPassword } from './set-password.ts'

export function serveResetPassword(service: AccountsService) {
  const { serve, database, clock, attemptLimits } = service
  serve(
    resetPassword,
    async ({ body: { email, token, newPassword }, request, answer }) => {
      const now = clock.now()
      const { address, acceptLanguage } = request
      if (token !== undefined && newPassword !== undefined) {
        await setNewPassword(service, { token, newPassword, address, acceptLanguage, now })
        return { status: 'Your password is changed. Sign in with it.' }
      }
      await attemptLimits.count('requestsOfNetwork', networkOf(address))
      await attemptLimits.count('mailsToAddress', addressKey(email ?? ''))
      // Whether there is such an account is looked up afterwards: the answer and its time cannot tell.
      await requestLinkMail(database, { email: email ?? '', link: 'reset-password', acceptLanguage })
      answer.status(202)
      return { status: 'If there is an account with this address, a link to choose a new password is on its way.' }
    },
    ({ body }) => [
      ...validateEmail(body.email),
      ...validateNewPassword('newPassword', body.newPassword, undefined),
      // What was sent and refused is there, without its value.
      ...('email' in body || ('token' in body && 'newPassword' in body)
        ? []
        : [{ path: '', code: 'required', message: 'Send email, or token and newPassword.' }]),
    ],
  )
}

type NewPassword = { token: string; newPassword: string; address: string; acceptLanguage: string; now: Date }

/**
 * Whoever reads the mails of an address owns its account: what others hold of it ends. The first to prove the address may
 * find an account that somebody else has made. @throws invalid_token
 */
async function setNewPassword(
  service: AccountsService,
  { token, newPassword, address, acceptLanguage, now }: NewPassword,
) {
  const { database, random, config, passwords, encryption } = service
  const tokenHash = readTokenOf('resetPassword', token)
  if (tokenHash === undefined) throw problem('invalid_token')
  const lookUp = { tokenHash, purpose: 'reset-password', now } as const
  const link = await findMailedLink(database, lookUp)
  const account = link && (await findAccount(database, link.accountId))
  if (account === undefined) throw problem('invalid_token')
  const faults = validateNewPassword('newPassword', newPassword, account.email)
  if (faults.length > 0) throw invalidRequest(faults)
  const passwordHash = await passwords.hash(newPassword, { address, addressKey: account.emailKey })

  await inTransaction(database, async (tx) => {
    const held = await lockAccount(tx, account.id)
    const used = await useMailedLink(tx, lookUp)
    if (held === undefined || held.disabledAt !== null || used === undefined) throw problem('invalid_token')
    const isClaim = !isAddressVerified(held)
    if (isClaim) await endAccessOfOthers(tx, service, held, now)
    else await endSignIns(tx, held.id, now)
    await setPassword(tx, held.id, passwordHash, now)
    await tx
      .updateTable('account')
      .set({ emailVerifiedAt: held.emailVerifiedAt ?? now })
      .where('id', '=', held.id)
      .execute()
    await rememberNetwork(tx, held.id, networkHash(encryption, address), now)
    const entry = { tenantId: held.tenantId, actorId: held.id, subjectId: held.id }
    const detail = isClaim ? { claimed: true } : {}
    await audit(tx, random, now, { ...entry, action: 'password.reset', detail, address })
    const language = emailLanguage(held.language, acceptLanguage)
    const letter = passwordChangedEmail({ baseUrl: config.baseUrl, to: held.email, language })
    await queuePasswordChangedEmail(tx, service, held, letter, now)
  })
}
