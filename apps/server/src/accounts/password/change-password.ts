import { changePassword } from '@parley/contract'
import { readRequired } from '@parley/rules/text/reading'
import { audit } from '../../access/audit.ts'
import { lockSession } from '../../access/credentials/session-store.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { problem } from '../../platform/http/problem.ts'
import { findAccount, lockAccount } from '../account/account-store.ts'
import { readNewPassword, requireDifferentFromEmail } from '../account/person-fields.ts'
import { setPassword } from '../account/set-password.ts'
import type { AccountsService } from '../accounts-service.ts'
import { emailLanguage, passwordChangedEmail } from '../email-links/account-emails.ts'
import { queuePasswordChangedEmail } from '../email-links/queue-email.ts'
import { endSignIns } from '../ownership/end-access-of-others.ts'
import { sessionOf } from '../sessions/own-session.ts'
import { requireOwnPassword } from '../sign-in/require-own-password.ts'

/**
 * Change the password. Unless the request declines it, end all other sessions, tokens and passkeys, so that a person
 * who knew the old password loses access.
 */
export function serveChangePassword(service: AccountsService) {
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
        // The session or the account may have ended, or the password changed, while this one was hashed.
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
