import { signUp } from '@parley/contract'
import { addressKey } from '@parley/rules/text/email-address'
import type { Language } from '@parley/rules/text/language'
import { networkOf } from '../../access/network.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { preferredLanguage } from '../../platform/http/negotiation.ts'
import { problem } from '../../platform/http/problem.ts'
import { isAddressTaken } from '../account/account-store.ts'
import { createAccount } from '../account/create-account.ts'
import {
  lastNameLimits,
  nameLimits,
  validateEmail,
  validateNewPassword,
  validatePersonName,
  validateTimeZone,
} from '../account/field-checks.ts'
import type { AccountsService } from '../accounts-service.ts'
import { beginSession } from '../sessions/begin-session.ts'
import { deferSignUp } from './pending-sign-up.ts'
import { consumeInvitation, findSignUpPermission } from './sign-up-policy.ts'

/**
 * Sign up. With verification, the reply and its time are the same whether or not the address has an account: the owner
 * of the address learns it by email. An invitation was emailed, so it verifies the address.
 */
export function serveSignUp(service: AccountsService) {
  const { serve, database, clock, random, config, passwords, attemptLimits, sessionCookie, firstAccount } = service
  serve(signUp, {
    handle: async ({ body, request, answer }) => {
      const now = clock.now()
      await attemptLimits.count('requestsOfNetwork', networkOf(request.address))
      const permission = await findSignUpPermission(database, config.signUp, {
        invitation: body.invitation,
        email: body.email,
        now,
      })
      const { address } = request
      const { setUpCode } = body
      const mayBeFirst = await firstAccount.permit(database, { isLocal: request.isLocal(), address, setUpCode })
      const confirmFirst = config.emailVerification === 'required' && permission.invitationHash === undefined
      if (confirmFirst) await attemptLimits.count('mailsToAddress', addressKey(body.email))

      const { email, name, lname = '', timeZone = '' } = body
      const passwordHash = await passwords.hash(body.password, { address, addressKey: addressKey(body.email) })
      const emailVerifiedAt = permission.invitationHash === undefined ? null : now
      const language: Language | '' = preferredLanguage(request.acceptLanguage) ?? ''
      const fields = { email, name, lname, timeZone, language }
      const person = { ...fields, accountId: random.uuid(now), passwordHash, emailVerifiedAt }
      if (confirmFirst) {
        answer.status(202)
        return inTransaction(database, (tx) => deferSignUp(tx, service, { ...person, mayBeFirst }, now))
      }

      const { onlyAsFirst } = permission
      const session = await inTransaction(database, async (tx) => {
        if (permission.invitationHash !== undefined) await consumeInvitation(tx, permission.invitationHash)
        const account = await createAccount(tx, service, person, { now, address, onlyAsFirst, mayBeFirst })
        return beginSession(tx, service, account, { request, now, by: 'sign-up' })
      }).catch((error) => {
        throw isAddressTaken(error) ? problem('email_taken') : error
      })
      answer.header('set-cookie', sessionCookie.set(session.token))
      return session
    },
    check: ({ body: { email, password, name, lname, timeZone } }) => [
      ...validateEmail(email),
      ...validateNewPassword('password', password, email),
      ...validatePersonName('name', name, nameLimits),
      ...validatePersonName('lname', lname, lastNameLimits),
      ...validateTimeZone(timeZone, config.timeZoneAliases),
    ],
  })
}
