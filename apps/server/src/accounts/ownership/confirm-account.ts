import { audit } from '../../access/audit.ts'
import { isAddressVerified } from '../../access/trusted-address.ts'
import { type Database, inTransaction } from '../../platform/database/database.ts'
import { problem } from '../../platform/http/problem.ts'
import { findAccount, lockAccount } from '../account/account-store.ts'
import { hasSamePassword, setPassword } from '../account/set-password.ts'
import type { AccountsService } from '../accounts-service.ts'
import { emailLanguage, passwordChangedEmail } from '../email-links/account-emails.ts'
import { consumeMailedLink, findMailedLink } from '../email-links/mailed-link-store.ts'
import { queueEmail } from '../email-links/queue-email.ts'
import { beginSession } from '../sessions/begin-session.ts'
import { type Confirmation, verifyProof } from './confirmation.ts'
import { endAccessOfOthers } from './end-access-of-others.ts'

/**
 * Verify the address of an account that was created while EMAIL_VERIFICATION was off. Another person may have created
 * it with this address. Unless a session or the password shows that the link's reader is the account's user, all access
 * that was granted before ends (docs/decisions/0026).
 * @throws invalid_token, wrong_credentials
 */
export async function confirmAccount(
  database: Database,
  service: AccountsService,
  tokenHash: Buffer,
  confirmation: Confirmation,
) {
  const { random, config } = service
  const { proof, request, now } = confirmation
  const lookUp = { tokenHash, purpose: 'verify-email', now } as const
  const link = await findMailedLink(database, lookUp)
  const account = link && (await findAccount(database, link.accountId))
  if (account === undefined) throw problem('invalid_token')
  const passwordHash = await verifyProof(service, confirmation, { ...account, tokenHash })
  const provedIdentity =
    proof.kind === 'password' || (proof.kind === 'link' && (await request.session())?.accountId === account.id)

  return inTransaction(database, async (tx) => {
    const lockedAccount = await lockAccount(tx, account.id)
    const used = await consumeMailedLink(tx, lookUp)
    if (lockedAccount === undefined || lockedAccount.disabledAt !== null || used === undefined)
      throw problem('invalid_token')
    if (!hasSamePassword(lockedAccount, account)) throw problem('invalid_token')
    const isFirst = !isAddressVerified(lockedAccount)
    // A link of a verified account must not set a password.
    if (!isFirst && passwordHash !== undefined) throw problem('invalid_token')
    if (isFirst && !provedIdentity) await endAccessOfOthers(tx, service, lockedAccount, now)
    if (passwordHash !== undefined) {
      await setPassword(tx, lockedAccount.id, passwordHash, now)
      const language = emailLanguage(lockedAccount.language, request.acceptLanguage)
      await queueEmail(
        tx,
        service,
        passwordChangedEmail({ baseUrl: config.baseUrl, to: lockedAccount.email, language }),
      )
    }
    if (isFirst) {
      await tx
        .updateTable('account')
        .set({ emailVerifiedAt: now, modifiedAt: now })
        .where('id', '=', lockedAccount.id)
        .execute()
      const entry = { tenantId: lockedAccount.tenantId, actorId: lockedAccount.id, subjectId: lockedAccount.id }
      const detail = provedIdentity ? {} : { claimed: true }
      await audit(tx, random, now, { ...entry, action: 'email.verified', detail, address: request.address })
    }
    if (proof.kind === 'link') return undefined
    const confirmed = await findAccount(tx, lockedAccount.id)
    if (confirmed === undefined) throw problem('invalid_token')
    return beginSession(tx, service, confirmed, { request, now, by: 'password' })
  })
}
