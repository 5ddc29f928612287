import {
  type AccountSummary,
  type BodyOf,
  inviteAccount,
  listAccountInvitations,
  listAccounts,
  revokeAccountInvitation,
  updateAccount,
} from '@parley/contract'
import { addressKey } from '@parley/rules/text/email-address'
import { readRequired } from '@parley/rules/text/parsed'
import { publishAccessEnded } from '../access/access-topic.ts'
import { audit } from '../access/audit.ts'
import { newToken } from '../access/credentials/token-secret.ts'
import { isAddressTrusted, trustsEveryAddress } from '../access/trusted-address.ts'
import type { Config } from '../platform/config/config.ts'
import { readAfter, writeCursor } from '../platform/database/cursor.ts'
import { type Database, inTransaction } from '../platform/database/database.ts'
import { isUuid } from '../platform/database/uuid.ts'
import { problem } from '../platform/http/problem.ts'
import { countAccounts, endOfPage, listAccountRows } from './account/account-list-store.ts'
import {
  type AccountRow,
  findAccount,
  findAccountByAddress,
  hasAnotherAdministrator,
  lockAccount,
} from './account/account-store.ts'
import { readEmail } from './account/person-fields.ts'
import { viewPhotoUrl } from './account/photo-store.ts'
import { findTenantOfAddress, isOperator, lockTenant } from './account/tenant-store.ts'
import type { Dependencies } from './dependencies.ts'
import {
  alreadyHaveAccountEmail,
  emailLanguage,
  invitationEmail,
  oauthEnabledEmail,
  signUpLink,
} from './email-links/account-emails.ts'
import { queueEmail } from './email-links/queue-email.ts'
import { endAccess } from './end-access.ts'
import { deleteOauthRequest, findOauthRequests, type OauthRequest } from './oauth-access-request-store.ts'
import { findBrand } from './organisation-store.ts'

/** Register the endpoints by which administrators manage the accounts of their organisation. */
export function registerAccountAdministration(dependencies: Dependencies): void {
  serveInviteAccount(dependencies)
  serveListInvitations(dependencies)
  serveRevokeInvitation(dependencies)
  serveListAccounts(dependencies)
  serveUpdateAccount(dependencies)
}

export const invitationLifetimeMs = 7 * 24 * 60 * 60 * 1000

/**
 * Invite an email address. The reply does not reveal whether another organisation has an account with it; its owner
 * learns it by email. Where no email leaves, the administrator gets the link to pass on, for addresses of their own
 * organisation: with the link of another one's address they could get into that organisation. Where addresses have to
 * be verified there is no link, because one that was passed on verifies nothing.
 */
function serveInviteAccount(service: Dependencies) {
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
            ? invitationEmail({
                baseUrl,
                to: email,
                language: ownLanguage,
                token,
                inviter: nameOf(inviter),
                tenantId: caller.tenantId,
                organisation: (await findBrand(tx, caller.tenantId)).name ?? '',
              })
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
        ...(isShown && { link: signUpLink(config.baseUrl, { token, to: email }) }),
      }
    },
  })
}

const nameOf = (person: { name: string; lname: string } | undefined): string =>
  `${person?.name ?? ''} ${person?.lname ?? ''}`.trim()

const maxListedInvitations = 500

/** The open invitations of the caller's organisation. An account of its own that exists by now waits for nothing. */
const openInvitations = (database: Database, tenantId: string, now: Date) =>
  database
    .selectFrom('signUpInvitation as i')
    .innerJoin('account as inviter', 'inviter.id', 'i.invitedBy')
    .where('inviter.tenantId', '=', tenantId)
    .where('i.expiresAt', '>', now)
    .where((row) =>
      row.not(
        row.exists(
          row
            .selectFrom('account as invited')
            .whereRef('invited.emailKey', '=', 'i.emailKey')
            .where('invited.tenantId', '=', tenantId),
        ),
      ),
    )

function serveListInvitations({ serve, clock }: Dependencies) {
  serve(listAccountInvitations, {
    handle: async ({ caller, database }) => {
      const open = openInvitations(database, caller.tenantId, clock.now())
      const [{ totalCount }, invitations] = await Promise.all([
        open.select((row) => row.fn.count<number>('i.emailKey').distinct().as('totalCount')).executeTakeFirstOrThrow(),
        database
          .selectFrom(
            open
              .select(['i.id', 'i.emailKey', 'i.createdAt', 'i.expiresAt', 'inviter.name', 'inviter.lname'])
              .distinctOn('i.emailKey')
              .orderBy('i.emailKey')
              .orderBy('i.createdAt', 'desc')
              .as('latest'),
          )
          .selectAll()
          .orderBy('createdAt', 'desc')
          .limit(maxListedInvitations)
          .execute(),
      ])
      return {
        totalCount,
        invitations: invitations.map(({ id, emailKey, createdAt, expiresAt, ...inviter }) => ({
          _id: id,
          email: emailKey,
          invitedBy: nameOf(inviter),
          createdOn: createdAt.toISOString(),
          expiresOn: expiresAt.toISOString(),
        })),
      }
    },
  })
}

function serveRevokeInvitation({ serve, clock, random }: Dependencies) {
  serve(revokeAccountInvitation, {
    handle: async ({ caller, params, request, database }) => {
      const now = clock.now()
      const { accountId, tenantId } = caller
      await inTransaction(database, async (tx) => {
        const found = isUuid(params.invitationId)
          ? await openInvitations(tx, tenantId, now)
              .select('i.emailKey')
              .where('i.id', '=', params.invitationId)
              .executeTakeFirst()
          : undefined
        if (found === undefined) throw problem('account_invitation_not_found')
        const { numDeletedRows } = await tx
          .deleteFrom('signUpInvitation')
          .where('emailKey', '=', found.emailKey)
          .where('invitedBy', 'in', tx.selectFrom('account').select('id').where('tenantId', '=', tenantId))
          .executeTakeFirst()
        // Used or revoked at the same moment.
        if (numDeletedRows === 0n) throw problem('account_invitation_not_found')
        await audit(tx, random, now, {
          tenantId,
          actorId: accountId,
          subjectId: null,
          action: 'account.invitation-revoked',
          detail: { email: found.emailKey },
          address: request.address,
        })
      })
    },
  })
}

const defaultLimit = 50

/** List the accounts of the administrator's organisation, oldest first unless sorted otherwise. */
function serveListAccounts({ serve, config }: Dependencies) {
  serve(listAccounts, {
    read: ({ query }) => readAfter(query.after),
    handle: async ({ caller, query, input: after, database }) => {
      const { limit = defaultLimit, q = '', only, sort = 'createdOn', order = 'asc' } = query
      const filter = { tenantId: caller.tenantId, words: q.trim(), only, trustsEvery: trustsEveryAddress(config) }
      const [totalCount, found] = await Promise.all([
        countAccounts(database, filter),
        listAccountRows(database, filter, { sort, order, after, limit: limit + 1 }),
      ])
      const page = found.slice(0, limit)
      const last = page.at(-1)
      const moreAvailable = found.length > limit
      const requests = await findOauthRequests(
        database,
        page.map(({ id }) => id),
      )
      return {
        totalCount,
        moreAvailable,
        nextCursor: moreAvailable && last !== undefined ? writeCursor(endOfPage(last, sort)) : null,
        accounts: page.map((account) => ({
          ...viewAccountSummary(account, requests.get(account.id), config),
          avatar: account.avatar,
          ...viewPhotoUrl(account.photo),
          lastSeenOn: account.lastSeenAt?.toISOString() ?? null,
          meetings: account.meetings,
        })),
      }
    },
  })
}

/**
 * Update an account's rights. An organisation keeps at least one administrator who can sign in, also under concurrent
 * changes.
 */
function serveUpdateAccount(service: Dependencies) {
  const { serve, clock, random, config } = service
  serve(updateAccount, {
    handle: ({ caller, params: { userId }, body, request, database }) =>
      inTransaction(database, async (tx) => {
        const now = clock.now()
        await lockTenant(tx, caller.tenantId)
        const account = isUuid(userId) ? await lockAccount(tx, userId) : undefined
        if (account === undefined || account.tenantId !== caller.tenantId || account.deletedAt !== null) {
          throw problem('account_not_found')
        }
        const before = rightsOf(account)
        const after = { ...before, ...sentRights(body) }
        const isActiveAdministrator = before.admin && !before.disabled
        if (
          isActiveAdministrator &&
          (!after.admin || after.disabled) &&
          !(await hasAnotherAdministrator(tx, account))
        ) {
          throw problem('last_administrator')
        }
        // Elsewhere the role has no effect: only reviewers of the organisation that runs the service review apps.
        if (after.reviewer && !before.reviewer && !(await isOperator(tx, account.tenantId))) {
          throw problem('reviewers_elsewhere')
        }
        const changedNames = rightNames.filter((name) => before[name] !== after[name])
        const isAnswered = after.oauthEnabled && (await deleteOauthRequest(tx, account.id))
        if (isAnswered && !after.disabled && account.id !== caller.accountId) {
          const mail = { baseUrl: config.baseUrl, to: account.email, language: emailLanguage(account.language) }
          await queueEmail(tx, service, oauthEnabledEmail(mail))
        }
        const pendingRequest = (await findOauthRequests(tx, [account.id])).get(account.id)
        if (changedNames.length === 0) return viewAccountSummary(account, pendingRequest, config)

        const changed = await tx
          .updateTable('account')
          .set({
            administrator: after.admin,
            reviewer: after.reviewer,
            oauthEnabled: after.oauthEnabled,
            disabledAt: after.disabled ? (account.disabledAt ?? now) : null,
            modifiedAt: now,
          })
          .where('id', '=', account.id)
          .returningAll()
          .executeTakeFirstOrThrow()
        if (after.disabled) await endAccess(tx, account.id, now)
        await publishAccessEnded(tx, account.id)
        const detail = Object.fromEntries(
          changedNames.map((name) => [name, { before: before[name], after: after[name] }]),
        )
        const entry = { tenantId: account.tenantId, actorId: caller.accountId, subjectId: account.id }
        await audit(tx, random, now, { ...entry, action: 'account.updated', detail, address: request.address })
        return viewAccountSummary(changed, pendingRequest, config)
      }),
  })
}

const rightNames = ['admin', 'reviewer', 'oauthEnabled', 'disabled'] as const
type Rights = Record<(typeof rightNames)[number], boolean>

const rightsOf = ({ administrator, reviewer, oauthEnabled, disabledAt }: AccountRow): Rights => ({
  admin: administrator,
  reviewer,
  oauthEnabled,
  disabled: disabledAt !== null,
})

const sentRights = (body: BodyOf<typeof updateAccount>): Partial<Rights> =>
  Object.fromEntries(rightNames.flatMap((name) => (body[name] === undefined ? [] : [[name, body[name]]])))

/** View an account for administrators of its organisation. */
export const viewAccountSummary = (
  account: AccountRow,
  request: OauthRequest | undefined,
  config: Config,
): AccountSummary => ({
  _id: account.id,
  email: account.email,
  emailVerified: isAddressTrusted(account, config),
  name: account.name,
  lname: account.lname,
  tenantId: account.tenantId,
  admin: account.administrator,
  reviewer: account.reviewer,
  oauthEnabled: account.oauthEnabled,
  oauthRequest: request ? { reason: request.reason, requestedOn: request.createdAt.toISOString() } : null,
  disabled: account.disabledAt !== null,
  createdOn: account.createdAt.toISOString(),
})
