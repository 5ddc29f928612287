import { addressKey, isEmailAddress } from '@parley/rules/text/email-address'
import { audit } from '../access/audit.ts'
import { type AccountRow, findAccountByAddress } from '../accounts/account/account-store.ts'
import { createAccount } from '../accounts/account/create-account.ts'
import { deleteOauthRequest } from '../accounts/administration/oauth-request-store.ts'
import { insertMailedLink } from '../accounts/email-links/mailed-link-store.ts'
import { inTransaction, type Tx } from '../platform/database/database.ts'
import { StartProblem } from '../platform/start-problem.ts'
import { type Dependencies, type Operator, withDatabase } from './operator.ts'

/**
 * Make an account an administrator and reviewer, and create it if it does not exist. A new account has no password: its
 * owner chooses one with the printed link, so that no password is in a shell's history.
 *
 * @throws StartProblem
 */
export function adminCreate(dependencies: Dependencies, email: string): Promise<void> {
  if (!isEmailAddress(email)) throw new StartProblem(`${email} is not an email address.`)
  return withDatabase(dependencies, async (operator) => {
    const { database, clock, random, config, say } = operator
    const now = clock.now()
    const { isNew, token } = await inTransaction(database, async (tx) => {
      const found = await findAccountByAddress(tx, addressKey(email))
      if (found?.disabledAt) throw new StartProblem(`The account of ${email} is disabled. Enable it first.`)
      const account = found ?? (await makeOwnerless(tx, operator, email, now))
      await promote(tx, operator, account, now)
      const needsPassword = account.passwordHash === null
      const link = { accountId: account.id, purpose: 'reset-password', now } as const
      return { isNew: found === undefined, token: needsPassword ? await insertMailedLink(tx, random, link) : undefined }
    })
    say(`${email} ${isNew ? 'has an account, and ' : ''}is an administrator and reviewer.`)
    if (token === undefined) return
    say('Choose the password within an hour at')
    say(`${config.baseUrl}/reset-password#token=${token}`)
  })
}

function makeOwnerless(tx: Tx, { random, encryption, config }: Operator, email: string, now: Date) {
  const name = email.split('@')[0] ?? email
  const person = { accountId: random.uuid(now), email, passwordHash: null, name, lname: '', timeZone: '' }
  // Access to the operator's shell gives every right, so the address needs no other proof.
  const proven = { ...person, language: '', emailVerifiedAt: now } as const
  return createAccount(tx, { random, encryption, config }, proven, {
    now,
    address: '',
    onlyAsFirst: false,
    mayBeFirst: true,
    byOperator: true,
  })
}

async function promote(tx: Tx, { random }: Operator, account: AccountRow, now: Date): Promise<void> {
  const before = { admin: account.administrator, reviewer: account.reviewer, oauthEnabled: account.oauthEnabled }
  const given = Object.entries(before).filter(([, had]) => !had)
  if (given.length === 0) return
  const rights = { administrator: true, reviewer: true, oauthEnabled: true }
  await tx
    .updateTable('account')
    .set({ ...rights, modifiedAt: now })
    .where('id', '=', account.id)
    .execute()
  // This also answers a pending request for OAuth.
  await deleteOauthRequest(tx, account.id)
  const entry = { tenantId: account.tenantId, actorId: null, subjectId: account.id, address: '' }
  const changes = Object.fromEntries(given.map(([right]) => [right, { before: false, after: true }]))
  const detail = { ...changes, by: 'operator' }
  await audit(tx, random, now, { ...entry, action: 'account.updated', detail })
}
