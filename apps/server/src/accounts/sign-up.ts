import { signUp } from '@parley/contract'
import { addressKey } from '@parley/rules/email-address'
import { type Language, preferredLanguage } from '@parley/rules/language'
import { networkOf } from '../access/network.ts'
import { inTransaction } from '../platform/database.ts'
import { problem } from '../platform/problem.ts'
import { isAddressTaken } from './account-store.ts'
import type { AccountsService } from './accounts-service.ts'
import { beginSession } from './begin-session.ts'
import { judgeEmail, judgeNewPassword, judgeText, judgeTimeZone, lastNameLimits, nameLimits } from './field-checks.ts'
import { makeAccount } from './make-account.ts'
import { deferSignUp } from './pending-sign-up.ts'
import { openDoor, useInvitation } from './sign-up-door.ts'

/**
 * With verification, the answer is the same whether or not the address has an account, and takes as long: what is true
 * is told by mail, to the owner of the address. An invitation came by mail, so it proves the address.
 */
export function serveSignUp(service: AccountsService) {
  const { serve, database, clock, random, config, passwords, attemptLimits, sessionCookie } = service
  serve(
    signUp,
    async ({ body, request, answer }) => {
      const now = clock.now()
      await attemptLimits.count('requestsOfNetwork', networkOf(request.address))
      const door = await openDoor(database, config.signUp, { invitation: body.invitation, email: body.email, now })
      const confirmFirst = config.emailVerification === 'required' && door.invitationHash === undefined
      if (confirmFirst) await attemptLimits.count('mailsToAddress', addressKey(body.email))

      const { email, name, lname = '', timeZone = '' } = body
      const passwordHash = await passwords.hash(body.password)
      const emailVerifiedAt = door.invitationHash === undefined ? null : now
      const language: Language | '' = preferredLanguage(request.acceptLanguage) ?? ''
      const told = { email, name, lname, timeZone, language }
      const person = { ...told, accountId: random.uuid(now), passwordHash, emailVerifiedAt }
      if (confirmFirst) {
        answer.status(202)
        return inTransaction(database, (tx) => deferSignUp(tx, service, person, now))
      }

      const { address } = request
      const { onlyAsFirst } = door
      const session = await inTransaction(database, async (tx) => {
        if (door.invitationHash !== undefined) await useInvitation(tx, door.invitationHash)
        const account = await makeAccount(tx, service, person, { now, address, onlyAsFirst })
        return beginSession(tx, service, account, { request, now, by: 'sign-up' })
      }).catch((error) => {
        throw isAddressTaken(error) ? problem('email_taken') : error
      })
      answer.header('set-cookie', sessionCookie.set(session.token))
      return session
    },
    ({ body: { email, password, name, lname, timeZone } }) => [
      ...judgeEmail(email),
      ...judgeNewPassword('password', password, email),
      ...judgeText('name', name, nameLimits),
      ...judgeText('lname', lname, lastNameLimits),
      ...judgeTimeZone(timeZone, config.timeZoneAliases),
    ],
  )
}
