import { signUp } from '@parley/contract'
import { addressKey } from '@parley/rules/text/email-address'
import { combine, readOptional, readRequired } from '@parley/rules/text/reading'
import type { Language } from '@parley/texts/languages'
import { networkOf } from '../../access/network.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { preferredLanguage } from '../../platform/http/content-negotiation.ts'
import { problem } from '../../platform/http/problem.ts'
import { isAddressTaken } from '../account/account-store.ts'
import { createAccount } from '../account/create-account.ts'
import {
  lastNameLimits,
  nameLimits,
  readEmail,
  readNewPassword,
  readPersonName,
  readPersonTimeZone,
} from '../account/person-fields.ts'
import type { AccountsService } from '../accounts-service.ts'
import { beginSession } from '../sessions/begin-session.ts'
import { deferSignUp } from './pending-sign-up.ts'
import { consumeInvitation, findSignUpPermission } from './sign-up-policy.ts'

/**
 * Sign up. With verification, the reply and its time are the same whether or not the address has an account: the owner
 * of the address learns it by email. An invitation that was emailed verifies the address.
 */
export function serveSignUp(service: AccountsService) {
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
      const mayBeFirst = await firstAccount.permit(database, { isLocal: request.isLocal(), address, setUpCode })
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
