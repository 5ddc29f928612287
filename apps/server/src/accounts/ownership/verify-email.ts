import { verifyEmail } from '@parley/contract'
import { addressKey } from '@parley/rules/text/email-address'
import { readToken } from '../../access/credentials/token-secret.ts'
import { networkOf } from '../../access/network.ts'
import { problem } from '../../platform/http/problem.ts'
import { validateEmail, validateNewPassword } from '../account/field-checks.ts'
import type { AccountsService } from '../accounts-service.ts'
import { queueLinkEmail } from '../sign-in/link-mail-job.ts'
import { confirmAccount } from './confirm-account.ts'
import { confirmSignUp } from './confirm-sign-up.ts'
import { type Confirmation, proofOf } from './confirmation.ts'

/**
 * Verify an address by an emailed link. The link alone does not sign in: its reader owns the address, but another
 * person may have signed up with it. The password of the sign-up proves both; a new password claims the account
 * (docs/decisions/0026).
 */
export function serveVerifyEmail(service: AccountsService) {
  const { serve, database, clock, attemptLimits, sessionCookie } = service
  serve(verifyEmail, {
    handle: async ({ body: { email = '', token, password, newPassword }, request, answer }) => {
      const now = clock.now()
      const { address, acceptLanguage } = request
      if (token !== undefined) {
        const session = await confirm(service, token, { now, request, proof: proofOf({ password, newPassword }) })
        if (session === undefined) return { status: 'Your email address is confirmed. Sign in now.' }
        answer.header('set-cookie', sessionCookie.set(session.token))
        return { status: 'Your email address is confirmed, and you are signed in.', ...session }
      }
      await attemptLimits.count('requestsOfNetwork', networkOf(address))
      await attemptLimits.count('mailsToAddress', addressKey(email))
      await queueLinkEmail(database, { email, link: 'verify-email', acceptLanguage })
      answer.status(202)
      return { status: 'If this address waits to be confirmed, a new link is on its way.' }
    },
    check: ({ body }) => [
      ...validateEmail(body.email),
      ...validateNewPassword('newPassword', body.newPassword, undefined),
      // Refused fields are present without a value.
      ...('email' in body || 'token' in body ? [] : [{ path: '', code: 'required', message: 'Send token, or email.' }]),
      ...('password' in body && 'newPassword' in body
        ? [{ path: '/newPassword', code: 'not_allowed', message: 'Send password or newPassword, not both.' }]
        : []),
    ],
  })
}

/**
 * Confirm by the token's kind. Returns a session if a password was sent. @throws invalid_token, and what the two
 * functions throw
 */
async function confirm(service: AccountsService, text: string, confirmation: Confirmation) {
  const token = readToken(text)
  switch (token?.kind) {
    case 'pendingSignUp':
      return confirmSignUp(service, token.hash, confirmation)
    case 'verifyEmail':
      return confirmAccount(service, token.hash, confirmation)
    default:
      throw problem('invalid_token')
  }
}
