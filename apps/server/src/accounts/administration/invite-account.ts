import { inviteAccount } from '@parley/contract'
import { addressKey } from '@parley/rules/text/email-address'
import { readRequired } from '@parley/rules/text/reading'
import { audit } from '../../access/audit.ts'
import { newToken } from '../../access/credentials/token-secret.ts'
import { trustsEveryAddress } from '../../access/trusted-address.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { problem } from '../../platform/http/problem.ts'
import { findAccount, findAccountByAddress } from '../account/account-store.ts'
import { readEmail } from '../account/person-fields.ts'
import { findTenantOfAddress } from '../account/tenant-store.ts'
import type { AccountsService } from '../accounts-service.ts'
import { alreadyHaveAccountEmail, emailLanguage, invitationEmail, signUpLink } from '../email-links/account-emails.ts'
import { queueEmail } from '../email-links/queue-email.ts'

export const invitationLifetimeMs = 7 * 24 * 60 * 60 * 1000

/**
 * Invite an email address. The reply does not reveal whether another organisation has an account with it; its owner
 * learns it by email. Where no email leaves, the administrator gets the link to pass on, for addresses of their own
 * organisation: with the link of another one's address they could get into that organisation. Where addresses have to
 * be verified there is no link, because one that was passed on verifies nothing.
 */
export function serveInviteAccount(service: AccountsService) {
  const { serve, clock, random, config, attemptLimits } = service
  serve(inviteAccount, {
    read: ({ body }) => readRequired(body.email, readEmail),
    handle: async ({ caller, input: email, request, database }) => {
      if (config.signUp === 'closed') throw problem('sign_up_closed')
      const now = clock.now()
      const emailKey = addressKey(email)
      await attemptLimits.countOrRefuse('mailsToAddress', emailKey)
      const { token, hash } = newToken('invitation', random)
      const isShown = await inTransaction(database, async (tx) => {
        const expiresAt = new Date(now.getTime() + invitationLifetimeMs)
        const linkShown =
          !config.mailIsSent &&
          trustsEveryAddress(config) &&
          (await findTenantOfAddress(tx, email, config.tenants)) === caller.tenantId
        const invitedBy = caller.accountId
        const invitation = { tokenHash: hash, emailKey, invitedBy, createdAt: now, expiresAt, linkShown }
        await tx.insertInto('signUpInvitation').values(invitation).execute()
        const { baseUrl } = config
        const existing = await findAccountByAddress(tx, emailKey)
        // Without an account, use the inviter's language: they know whom they invite.
        const inviter = await findAccount(tx, caller.accountId)
        const ownLanguage = emailLanguage(inviter?.language, request.acceptLanguage)
        const message =
          existing === undefined
            ? invitationEmail({ baseUrl, to: email, language: ownLanguage, token })
            : alreadyHaveAccountEmail({ baseUrl, to: existing.email, language: existing.language || ownLanguage })
        await queueEmail(tx, service, message)
        const entry = { tenantId: caller.tenantId, actorId: caller.accountId, subjectId: null }
        await audit(tx, random, now, {
          ...entry,
          action: 'account.invited',
          detail: { email },
          address: request.address,
        })
        return linkShown
      })
      return {
        status: 'If the address has no account yet, an invitation is on its way.',
        ...(isShown && { link: signUpLink(config.baseUrl, token) }),
      }
    },
  })
}
