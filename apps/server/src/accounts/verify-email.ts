import { verifyEmail } from '@parley/contract'
import { addressKey } from '@parley/rules/email-address'
import type { Tx } from '../../migrations/tables.ts'
import { audit } from '../access/audit.ts'
import { networkOf } from '../access/network.ts'
import { readToken } from '../access/token-secret.ts'
import { inTransaction } from '../platform/database.ts'
import { problem } from '../platform/problem.ts'
import { isAddressTaken, lockAccount } from './account-store.ts'
import type { AccountsService } from './accounts-service.ts'
import { judgeEmail } from './field-checks.ts'
import { requestLinkMail } from './link-mail-job.ts'
import { useMailedLink } from './mailed-link-store.ts'
import { completeSignUp } from './pending-sign-up.ts'

/** The link alone signs nobody in: whoever opens it has to know the password that was chosen at sign-up. */
export function serveVerifyEmail(service: AccountsService) {
  const { serve, database, clock, attemptLimits } = service
  serve(
    verifyEmail,
    async ({ body: { email = '', token }, request: { address }, answer }) => {
      const now = clock.now()
      if (token !== undefined) {
        await confirm(service, token, { now, address })
        return { status: 'Your e-mail address is confirmed. Sign in now.' }
      }
      await attemptLimits.count('requestsOfNetwork', networkOf(address))
      await attemptLimits.count('mailsToAddress', addressKey(email))
      await requestLinkMail(database, { email, link: 'verify-email' })
      answer.status(202)
      return { status: 'If this address waits to be confirmed, a new link is on its way.' }
    },
    ({ body }) => [
      ...judgeEmail(body.email),
      // What was sent and refused is there, without its value.
      ...('email' in body || 'token' in body ? [] : [{ path: '', code: 'required', message: 'Send token, or email.' }]),
    ],
  )
}

type Visit = { now: Date; address: string }

async function confirm(service: AccountsService, text: string, visit: Visit) {
  const token = readToken(text)
  const { database } = service
  switch (token?.kind) {
    case 'pendingSignUp':
      await inTransaction(database, (tx) => completeSignUp(tx, service, token.hash, visit)).catch((error) => {
        throw isAddressTaken(error) ? problem('invalid_token') : error
      })
      return
    case 'verifyEmail':
      return inTransaction(database, (tx) => confirmAccount(tx, service, token.hash, visit))
    default:
      throw problem('invalid_token')
  }
}

/** For an account that was made while EMAIL_VERIFICATION was off. */
async function confirmAccount(tx: Tx, { random }: AccountsService, tokenHash: Buffer, { now, address }: Visit) {
  const link = await useMailedLink(tx, { tokenHash, purpose: 'verify-email', now })
  const account = link && (await lockAccount(tx, link.accountId))
  if (account === undefined || account.disabledAt !== null) throw problem('invalid_token')
  if (account.emailVerifiedAt !== null) return
  await tx.updateTable('account').set({ emailVerifiedAt: now, modifiedAt: now }).where('id', '=', account.id).execute()
  const entry = { tenantId: account.tenantId, actorId: account.id, subjectId: account.id }
  await audit(tx, random, now, { ...entry, action: 'email.verified', detail: {}, address })
}
