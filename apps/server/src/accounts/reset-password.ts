import { resetPassword } from '@parley/contract'
import { addressKey } from '@parley/rules/email-address'
import { endAppTokens } from '../access/access-token-store.ts'
import { audit } from '../access/audit.ts'
import { deleteFeed } from '../access/calendar-feed-store.ts'
import { networkOf } from '../access/network.ts'
import { deletePersonalTokens } from '../access/personal-token-store.ts'
import { deleteSessions } from '../access/session-store.ts'
import { readTokenOf } from '../access/token-secret.ts'
import { inTransaction } from '../platform/database.ts'
import { invalidRequest, problem } from '../platform/problem.ts'
import { passwordChangedLetter } from './account-letters.ts'
import { findAccount, lockAccount } from './account-store.ts'
import type { AccountsService } from './accounts-service.ts'
import { judgeEmail, judgeNewPassword } from './field-checks.ts'
import { networkHash, rememberNetwork } from './known-network.ts'
import { requestLinkMail } from './link-mail-job.ts'
import { findMailedLink, useMailedLink } from './mailed-link-store.ts'
import { deletePasskeys } from './passkey-store.ts'
import { queueLetter } from './queue-letter.ts'
import { setPassword } from './set-password.ts'

export function serveResetPassword(service: AccountsService) {
  const { serve, database, clock, attemptLimits } = service
  serve(
    resetPassword,
    async ({ body: { email, token, newPassword }, request, answer }) => {
      const now = clock.now()
      const { address } = request
      if (token !== undefined && newPassword !== undefined) {
        await setNewPassword(service, { token, newPassword, address, now })
        return { status: 'Your password is changed. Sign in with it.' }
      }
      await attemptLimits.count('requestsOfNetwork', networkOf(address))
      await attemptLimits.count('mailsToAddress', addressKey(email ?? ''))
      // Whether there is such an account is looked up afterwards: the answer and its time cannot tell.
      await requestLinkMail(database, { email: email ?? '', link: 'reset-password' })
      answer.status(202)
      return { status: 'If there is an account with this address, a link to choose a new password is on its way.' }
    },
    ({ body }) => [
      ...judgeEmail(body.email),
      ...judgeNewPassword('newPassword', body.newPassword, undefined),
      // What was sent and refused is there, without its value.
      ...('email' in body || ('token' in body && 'newPassword' in body)
        ? []
        : [{ path: '', code: 'required', message: 'Send email, or token and newPassword.' }]),
    ],
  )
}

type NewPassword = { token: string; newPassword: string; address: string; now: Date }

/** Whoever reads the mails of an address owns its account: all that others hold of it ends. @throws invalid_token */
async function setNewPassword(service: AccountsService, { token, newPassword, address, now }: NewPassword) {
  const { database, random, config, passwords, sealedBox } = service
  const tokenHash = readTokenOf('resetPassword', token)
  if (tokenHash === undefined) throw problem('invalid_token')
  const lookUp = { tokenHash, purpose: 'reset-password', now } as const
  const link = await findMailedLink(database, lookUp)
  const account = link && (await findAccount(database, link.accountId))
  if (account === undefined) throw problem('invalid_token')
  const faults = judgeNewPassword('newPassword', newPassword, account.email)
  if (faults.length > 0) throw invalidRequest(faults)
  const passwordHash = await passwords.hash(newPassword)

  await inTransaction(database, async (tx) => {
    const held = await lockAccount(tx, account.id)
    const used = await useMailedLink(tx, lookUp)
    if (held === undefined || held.disabledAt !== null || used === undefined) throw problem('invalid_token')
    await setPassword(tx, held.id, passwordHash, now)
    await tx
      .updateTable('account')
      .set({ emailVerifiedAt: held.emailVerifiedAt ?? now })
      .where('id', '=', held.id)
      .execute()
    await deleteSessions(tx, held.id)
    await deletePersonalTokens(tx, held.id)
    await deletePasskeys(tx, held.id)
    await deleteFeed(tx, held.id)
    await endAppTokens(tx, held.id, now)
    await rememberNetwork(tx, held.id, networkHash(sealedBox, address), now)
    const entry = { tenantId: held.tenantId, actorId: held.id, subjectId: held.id }
    await audit(tx, random, now, { ...entry, action: 'password.reset', detail: {}, address })
    await queueLetter(tx, service, passwordChangedLetter({ baseUrl: config.baseUrl, to: held.email }))
  })
}
