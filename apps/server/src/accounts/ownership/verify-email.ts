import { type BodyOf, verifyEmail } from '@parley/contract'
import { addressKey } from '@parley/rules/text/email-address'
import { addViolations, combine, type Reading, readOptional, refusedBySchema } from '@parley/rules/text/reading'
import { violationAt } from '@parley/rules/text/violation'
import { readToken } from '../../access/credentials/token-secret.ts'
import { networkOf } from '../../access/network.ts'
import type { Database } from '../../platform/database/database.ts'
import { problem } from '../../platform/http/problem.ts'
import { readEmail, readNewPassword } from '../account/person-fields.ts'
import type { AccountsService } from '../accounts-service.ts'
import { queueLinkEmail } from '../sign-in/link-mail-job.ts'
import { confirmAccount } from './confirm-account.ts'
import { confirmSignUp } from './confirm-sign-up.ts'
import { type Confirmation, type Proof, proofOf } from './confirmation.ts'

/**
 * Verify an address by an emailed link. The link alone does not sign in: its reader owns the address, but another
 * person may have signed up with it. The password of the sign-up proves both; a new password claims the account
 * (docs/decisions/0026).
 */
export function serveVerifyEmail(service: AccountsService) {
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

function readVerification(body: Partial<BodyOf<typeof verifyEmail>>): Reading<Verification> {
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
  const reading = addViolations(fields, isWhole ? undefined : missing, areBoth ? both : undefined)
  if (reading.violations !== undefined) return reading
  if (token !== undefined) return { value: { kind: 'confirm', token, proof: proofOf({ password, newPassword }) } }
  return email === undefined ? refusedBySchema : { value: { kind: 'request-link', email } }
}

/**
 * Confirm by the token's kind. Returns a session if a password was sent. @throws invalid_token, and what the two
 * functions throw
 */
async function confirm(database: Database, service: AccountsService, text: string, confirmation: Confirmation) {
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
