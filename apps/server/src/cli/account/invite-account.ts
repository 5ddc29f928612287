import { addressKey, isEmailAddress } from '@parley/rules/text/email-address'
import { audit } from '../../access/audit.ts'
import { newToken } from '../../access/credentials/token-secret.ts'
import { findAccountByAddress } from '../../accounts/account/account-store.ts'
import { findOrCreateTenant } from '../../accounts/account/tenant-store.ts'
import { invitationLifetimeMs } from '../../accounts/administration/invite-account.ts'
import { signUpLink } from '../../accounts/email-links/account-emails.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { StartProblem } from '../../platform/start-problem.ts'
import { type Dependencies, withDatabase } from '../operator.ts'

/** Print a sign-up link, which also works when SIGN_UP is `invite`. @throws StartProblem */
export function inviteAccount(dependencies: Dependencies, email: string): Promise<void> {
  if (!isEmailAddress(email)) throw new StartProblem(`${email} is not an e-mail address.`)
  const { signUp, baseUrl, tenants } = dependencies.config
  if (signUp === 'closed') throw new StartProblem('SIGN_UP is closed: nobody signs up, invited or not.')
  return withDatabase(dependencies, async ({ database, clock, random, say }) => {
    const now = clock.now()
    const emailKey = addressKey(email)
    const { token, hash } = newToken('invitation', random)
    await inTransaction(database, async (tx) => {
      if ((await findAccountByAddress(tx, emailKey)) !== undefined) {
        throw new StartProblem(`${email} has an account already: account reset-password prints a link for it.`)
      }
      const expiresAt = new Date(now.getTime() + invitationLifetimeMs)
      const invitation = { tokenHash: hash, emailKey, invitedBy: null, createdAt: now, expiresAt }
      await tx.insertInto('signUpInvitation').values(invitation).execute()
      const tenantId = await findOrCreateTenant(tx, email, { tenants, random, now })
      const entry = { tenantId, actorId: null, subjectId: null, address: '' }
      await audit(tx, random, now, { ...entry, action: 'account.invited', detail: { email, by: 'operator' } })
    })
    say(`Send this link to ${email}. It is good for seven days:`)
    say(signUpLink(baseUrl, token))
  })
}
