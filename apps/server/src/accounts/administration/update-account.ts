import { type BodyOf, updateAccount } from '@parley/contract'
import { publishAccessEnded } from '../../access/access-topic.ts'
import { audit } from '../../access/audit.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { isUuid } from '../../platform/database/uuid.ts'
import { problem } from '../../platform/http/problem.ts'
import { type AccountRow, lockAccount } from '../account/account-store.ts'
import { lockTenant, runsService } from '../account/tenant-store.ts'
import type { AccountsService } from '../accounts-service.ts'
import { emailLanguage, oauthEnabledEmail } from '../email-links/account-emails.ts'
import { queueEmail } from '../email-links/queue-email.ts'
import { endAccess } from '../end-access.ts'
import { hasAnotherAdministrator } from '../tenant-administrators.ts'
import { viewAccountSummary } from './account-summary-view.ts'
import { deleteOauthRequest, findOauthRequests } from './oauth-request-store.ts'

/**
 * Update an account's rights. An organisation keeps at least one administrator who can sign in, also under concurrent
 * changes.
 */
export function serveUpdateAccount(service: AccountsService) {
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
        if (after.reviewer && !before.reviewer && !(await runsService(tx, account.tenantId))) {
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
