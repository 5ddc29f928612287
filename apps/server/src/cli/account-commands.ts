import { addressKey, isEmailAddress } from '@parley/rules/text/email-address'
import { sql } from 'kysely'
import { audit } from '../access/audit.ts'
import { newToken } from '../access/credentials/token-secret.ts'
import { type CloseAccountDependencies, closeAccount, type MeetingsAhead } from '../account-data/close-account.ts'
import {
  type AccountRow,
  findAccount,
  findAccountByAddress,
  hasAnotherAdministrator,
  lockAccount,
} from '../accounts/account/account-store.ts'
import { createAccount } from '../accounts/account/create-account.ts'
import { findOrCreateTenant, lockTenant } from '../accounts/account/tenant-store.ts'
import { invitationLifetimeMs } from '../accounts/account-administration.ts'
import {
  emailLanguage,
  invitationEmail,
  oauthEnabledEmail,
  signUpLink,
} from '../accounts/email-links/account-emails.ts'
import { insertMailedLink } from '../accounts/email-links/mailed-link-store.ts'
import { queueEmail } from '../accounts/email-links/queue-email.ts'
import { endAccess } from '../accounts/end-access.ts'
import { deleteOauthRequest } from '../accounts/oauth-access-request-store.ts'
import { findBrand } from '../accounts/organisation-store.ts'
import { createRenewHostSecrets } from '../meetings/meeting-secrets.ts'
import { endGrantsOfAccount } from '../oauth/grants/grant-store.ts'
import { type Database, inTransaction, type Tx } from '../platform/database/database.ts'
import { isUuid } from '../platform/database/uuid.ts'
import { ProblemError } from '../platform/http/problem.ts'
import { StartProblem } from '../platform/start-problem.ts'
import { createDetachAdmissions } from '../rooms/admission/admission-store.ts'
import { disableWebhooksOfPerson } from '../webhooks/webhook-health.ts'
import { type Dependencies, type Operator, withDatabase } from './operator.ts'

const pageSize = 1_000
const first = '00000000-0000-0000-0000-000000000000'

/** Print a line for each account, oldest first: id, address, name and rights. @throws StartProblem */
export const listAccounts = (dependencies: Dependencies): Promise<void> =>
  withDatabase(dependencies, async ({ database, say }) => {
    let after: string | undefined = first
    while (after !== undefined) {
      const page: AccountRow[] = await database
        .selectFrom('account')
        .selectAll()
        .where('id', '>', after)
        .orderBy('id')
        .limit(pageSize)
        .execute()
      for (const account of page) say(accountLine(account))
      after = page.length < pageSize ? undefined : page.at(-1)?.id
    }
  })

/** Separated by tabs, for `cut` and `awk`: addresses and names contain none. */
const accountLine = (account: AccountRow) =>
  [account.id, account.email, `${account.name} ${account.lname}`.trim(), rightsOf(account).join(',')].join('\t')

function rightsOf({ administrator, reviewer, oauthEnabled, disabledAt, deletedAt, erasedAt }: AccountRow) {
  if (deletedAt !== null) return [erasedAt === null ? 'deleted' : 'erased']
  return [
    ...(administrator ? ['administrator'] : []),
    ...(reviewer ? ['reviewer'] : []),
    ...(oauthEnabled ? ['oauth'] : []),
    ...(disabledAt === null ? [] : ['disabled']),
  ]
}

type Counts = { sessions: number; tokens: number; passkeys: number; meetings: number; apps: number; grants: number }

/** Print what an operator needs to know about one account, without its content. @throws StartProblem */
export const showAccount = (dependencies: Dependencies, named: string): Promise<void> =>
  withDatabase(dependencies, async ({ database, clock, say }) => {
    const account = await findNamedAccount(database, named)
    const { id, email, emailVerifiedAt, name, lname, passwordHash, createdAt, disabledAt } = account
    const now = clock.now()
    const { rows } = await sql<Counts>`select
      (select count(*)::integer from session where account_id = ${id} and expires_at > ${now}) as sessions,
      (select count(*)::integer from personal_token where account_id = ${id}) as tokens,
      (select count(*)::integer from passkey where account_id = ${id}) as passkeys,
      (select count(*)::integer from meeting where host_id = ${id} and cancelled_at is null and over_at > ${now}) as meetings,
      (select count(*)::integer from app where owner_id = ${id} and deleted_at is null) as apps,
      (select count(*)::integer from app_grant where account_id = ${id} and revoked_at is null) as grants`.execute(
      database,
    )
    const { tenant } = await database
      .selectFrom('tenant')
      .select('name as tenant')
      .where('id', '=', account.tenantId)
      .executeTakeFirstOrThrow()
    const lines: [string, string | number][] = [
      ['id', id],
      ['address', `${email} (${emailVerifiedAt === null ? 'not confirmed' : 'confirmed'})`],
      ['name', `${name} ${lname}`.trim()],
      ['organisation', tenant],
      ['rights', rightsOf(account).join(', ') || 'none'],
      ['made', createdAt.toISOString()],
      ['disabled', disabledAt?.toISOString() ?? 'no'],
      ['password', passwordHash === null ? 'none' : 'set'],
      ...Object.entries(rows[0] ?? {}),
    ]
    for (const [label, value] of lines) say(`${`${label}:`.padEnd(14)}${value}`)
  })

/** Print a sign-up link, which also works when SIGN_UP is `invite`. @throws StartProblem */
export function inviteAccount(dependencies: Dependencies, email: string): Promise<void> {
  if (!isEmailAddress(email)) throw new StartProblem(`${email} is not an e-mail address.`)
  const { signUp } = dependencies.config
  if (signUp === 'closed') throw new StartProblem('SIGN_UP is closed: invitations have no effect.')
  return withDatabase(dependencies, async ({ database, clock, random, encryption, say }) => {
    const operator = { config: dependencies.config, random, encryption }
    const invited = await inTransaction(database, (tx) =>
      inviteAddress(tx, operator, { email, inviter: undefined, again: true, now: clock.now() }),
    )
    if (invited.kind !== 'invited') {
      throw new StartProblem(`${email} has an account already: account reset-password prints a link for it.`)
    }
    say(`Send this link to ${email}. It works for seven days:`)
    say(invited.link)
  })
}

type Invited = { kind: 'has-account' } | { kind: 'is-invited'; at: Date } | { kind: 'invited'; link: string }

type NewInvitation = {
  email: string
  /** The account that is named in the email; without one, no email is sent. */
  inviter: AccountRow | undefined
  /** Whether an invitation that still works is no reason not to make another. */
  again?: boolean
  now: Date
}

/** Invite an address to sign up, and return the link. */
export async function inviteAddress(
  tx: Tx,
  { config, random, encryption }: Pick<Operator, 'config' | 'random' | 'encryption'>,
  { email, inviter, again = false, now }: NewInvitation,
): Promise<Invited> {
  const emailKey = addressKey(email)
  if ((await findAccountByAddress(tx, emailKey)) !== undefined) return { kind: 'has-account' }
  const open = await tx
    .selectFrom('signUpInvitation')
    .select('createdAt')
    .where('emailKey', '=', emailKey)
    .where('expiresAt', '>', now)
    .executeTakeFirst()
  if (open !== undefined && !again) return { kind: 'is-invited', at: open.createdAt }
  const { baseUrl, tenants } = config
  const { token, hash } = newToken('invitation', random)
  const expiresAt = new Date(now.getTime() + invitationLifetimeMs)
  const invitation = { tokenHash: hash, emailKey, invitedBy: inviter?.id ?? null, createdAt: now, expiresAt }
  await tx.insertInto('signUpInvitation').values(invitation).execute()
  const tenantId = inviter?.tenantId ?? (await findOrCreateTenant(tx, email, { tenants, random, now }))
  if (inviter !== undefined) {
    const mail = { baseUrl, to: email, language: emailLanguage(inviter.language), token, tenantId }
    const organisation = (await findBrand(tx, tenantId)).name ?? ''
    const name = `${inviter.name} ${inviter.lname}`.trim()
    await queueEmail(tx, { encryption }, invitationEmail({ ...mail, inviter: name, organisation }))
  }
  const entry = { tenantId, actorId: null, subjectId: null, address: '' }
  await audit(tx, random, now, { ...entry, action: 'account.invited', detail: { email, by: 'operator' } })
  return { kind: 'invited', link: signUpLink(baseUrl, { token, to: email }) }
}

/** Disable an account as an administrator does, or enable it again. @throws StartProblem */
export const setDisabled = (dependencies: Dependencies, named: string, disabled: boolean): Promise<void> =>
  withDatabase(dependencies, async ({ database, clock, random, say }) => {
    const { id, tenantId, email } = await findNamedAccount(database, named)
    const now = clock.now()
    await inTransaction(database, async (tx) => {
      await lockTenant(tx, tenantId)
      const account = await lockAccount(tx, id)
      if (account === undefined || (account.disabledAt !== null) === disabled) return
      if (disabled && account.administrator && !(await hasAnotherAdministrator(tx, account))) {
        throw new StartProblem(
          `${email} is the last administrator of its organisation. Make another one first: admin create EMAIL.`,
        )
      }
      await tx
        .updateTable('account')
        .set({ disabledAt: disabled ? now : null, modifiedAt: now })
        .where('id', '=', id)
        .execute()
      if (disabled) await endAccess(tx, id, now)
      const entry = { tenantId, actorId: null, subjectId: id, address: '' }
      const detail = { disabled: { before: !disabled, after: disabled }, by: 'operator' }
      await audit(tx, random, now, { ...entry, action: 'account.updated', detail })
    })
    say(`The account of ${email} is ${disabled ? 'disabled' : 'enabled'}.`)
  })

/**
 * Print a link with which an account's owner chooses a new password; until then the old one keeps working. @throws
 * StartProblem
 */
export const resetPassword = (dependencies: Dependencies, named: string): Promise<void> =>
  withDatabase(dependencies, async ({ database, clock, random, config, say }) => {
    const { id, tenantId, email, disabledAt } = await findNamedAccount(database, named)
    if (disabledAt !== null) throw new StartProblem(`The account of ${email} is disabled. Enable it first.`)
    const now = clock.now()
    const token = await inTransaction(database, async (tx) => {
      const entry = { tenantId, actorId: null, subjectId: id, address: '' }
      await audit(tx, random, now, {
        ...entry,
        action: 'account.updated',
        detail: { passwordLink: 'printed', by: 'operator' },
      })
      return insertMailedLink(tx, random, { accountId: id, purpose: 'reset-password', now })
    })
    say(`Send this link to ${email}. It sets a new password, and works for one hour:`)
    say(`${config.baseUrl}/reset-password#token=${token}`)
  })

/**
 * Close an account as its owner does; a running Parley, or the next start, cancels its meetings and erases it.
 * @throws StartProblem
 */
export const deleteAccount = (dependencies: Dependencies, named: string, meetings: MeetingsAhead): Promise<void> =>
  withDatabase(dependencies, async (operator) => {
    const { database, clock, say } = operator
    const { id: accountId, email } = await findNamedAccount(database, named)
    const onAccessRevoked = [endGrantsOfAccount, createRenewHostSecrets(operator), createDetachAdmissions(operator)]
    const onSignedOut = [disableWebhooksOfPerson]
    const dependencies: CloseAccountDependencies = { ...operator, onAccessRevoked, onSignedOut }
    const closing = { accountId, tenantId: undefined, actorId: null, meetings, address: '', now: clock.now() }
    await inTransaction(database, (tx) => closeAccount(tx, dependencies, closing)).catch(
      explainLastAdministrator(email),
    )
    say(
      `The account of ${email} (${accountId}) is deleted. The running Parley notifies its guests, and then erases it.`,
    )
  })

const explainLastAdministrator = (email: string) => (error: unknown) => {
  if (!(error instanceof ProblemError) || error.code !== 'last_administrator') throw error
  throw new StartProblem(
    `${email} is the last administrator of its organisation. Make another one first: admin create EMAIL.`,
    { cause: error },
  )
}

/** Find an account by its email address or id, as `account list` prints them. @throws StartProblem */
async function findNamedAccount(database: Database, named: string): Promise<AccountRow> {
  const account = isUuid(named)
    ? await findAccount(database, named)
    : await findAccountByAddress(database, addressKey(named))
  if (account === undefined) throw new StartProblem(`There is no account of ${named}.`)
  if (account.deletedAt !== null) {
    throw new StartProblem(`The account ${account.id} was deleted on ${account.deletedAt.toISOString()}.`)
  }
  return account
}

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

/** Let an account register apps, as an administrator does. @throws StartProblem */
export const oauthEnable = (dependencies: Dependencies, email: string): Promise<void> =>
  withDatabase(dependencies, async (operator) => {
    const { database, clock, random, say, config } = operator
    const now = clock.now()
    await inTransaction(database, async (tx) => {
      const found = await findAccountByAddress(tx, addressKey(email))
      const account = found && (await lockAccount(tx, found.id))
      if (account === undefined) throw new StartProblem(`There is no account of ${email}.`)
      const isAnswered = await deleteOauthRequest(tx, account.id)
      if (account.oauthEnabled) return
      if (isAnswered && account.disabledAt === null) {
        const mail = { baseUrl: config.baseUrl, to: account.email, language: emailLanguage(account.language) }
        await queueEmail(tx, operator, oauthEnabledEmail(mail))
      }
      await tx
        .updateTable('account')
        .set({ oauthEnabled: true, modifiedAt: now })
        .where('id', '=', account.id)
        .execute()
      const entry = { tenantId: account.tenantId, actorId: null, subjectId: account.id, address: '' }
      const detail = { oauthEnabled: { before: false, after: true }, by: 'operator' }
      await audit(tx, random, now, { ...entry, action: 'account.updated', detail })
    })
    say(`OAuth is enabled for ${email}.`)
  })
