import { audit } from '../../access/audit.ts'
import { isAddressVerified } from '../../access/trusted-address.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { problem } from '../../platform/http/problem.ts'
import { type AccountRow, findAccount, lockAccount } from '../account/account-store.ts'
import type { AccountsService } from '../accounts-service.ts'
import { emailLanguage, passwordChangedEmail } from '../email-links/account-emails.ts'
import { findMailedLink, useMailedLink } from '../email-links/mailed-link-store.ts'
import { queueEmail } from '../email-links/queue-email.ts'
import { setPassword } from '../password/set-password.ts'
import { beginSession } from '../sessions/begin-session.ts'
import { type Confirmation, checkProof } from './confirmation.ts'
import { endAccessOfOthers } from './end-access-of-others.ts'

/**
 * Confirms the address of an account that was made while EMAIL_VERIFICATION was off. Somebody else may have made it with
 * this address, and have the link mailed by signing in; so unless whoever opens the link shows that they are the same
 * person, by a session of the account or its password, everything that was given out of it ends.
 * @throws invalid_token, wrong_credentials
 */
export async function confirmAccount(service: AccountsService, tokenHash: Buffer, confirmation: Confirmation) {
  const { database, random, config } = service
  const { proof, request, now } = confirmation
  const lookUp = { tokenHash, purpose: 'verify-email', now } as const
  const link = await findMailedLink(database, lookUp)
  const account = link && (await findAccount(database, link.accountId))
  if (account === undefined) throw problem('invalid_token')
  const passwordHash = await checkProof(service, confirmation, { ...account, tokenHash })
  const isSamePerson =
    proof.kind === 'password' || (proof.kind === 'link' && (await request.session())?.accountId === account.id)

  return inTransaction(database, async (tx) => {
    const held = await lockAccount(tx, account.id)
    const used = await useMailedLink(tx, lookUp)
    if (held === undefined || held.disabledAt !== null || used === undefined) throw problem('invalid_token')
    if (!samePassword(held, account)) throw problem('invalid_token')
    const isFirst = !isAddressVerified(held)
    // A link that has nothing to confirm any more is none to choose a password by.
    if (!isFirst && passwordHash !== undefined) throw problem('invalid_token')
    if (isFirst && !isSamePerson) await endAccessOfOthers(tx, service, held, now)
    if (passwordHash !== undefined) {
      await setPassword(tx, held.id, passwordHash, now)
      const language = emailLanguage(held.language, request.acceptLanguage)
      await queueEmail(tx, service, passwordChangedEmail({ baseUrl: config.baseUrl, to: held.email, language }))
    }
    if (isFirst) {
      await tx.updateTable('account').set({ emailVerifiedAt: now, modifiedAt: now }).where('id', '=', held.id).execute()
      const entry = { tenantId: held.tenantId, actorId: held.id, subjectId: held.id }
      const detail = isSamePerson ? {} : { claimed: true }
      await audit(tx, random, now, { ...entry, action: 'email.verified', detail, address: request.address })
    }
    if (proof.kind === 'link') return undefined
    const confirmed = await findAccount(tx, held.id)
    if (confirmed === undefined) throw problem('invalid_token')
    return beginSession(tx, service, confirmed, { request, now, by: 'password' })
  })
}

/** Another one may have been set while this one was compared. */
const samePassword = (one: AccountRow, other: AccountRow) =>
  one.passwordChangedAt?.getTime() === other.passwordChangedAt?.getTime()
