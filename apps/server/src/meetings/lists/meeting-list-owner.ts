import type { Endpoint } from '@parley/contract'
import type { Caller } from '../../access/caller.ts'
import type { Service } from '../../access/service.ts'
import { isAddressTrusted } from '../../access/trusted-address.ts'
import { type Database, inTransaction } from '../../platform/database/database.ts'
import { isUuid } from '../../platform/database/uuid.ts'
import { problem } from '../../platform/http/problem.ts'
import { auditLook } from '../view/meeting-access.ts'
import { isThroughApp, viewerOf } from '../view/meeting-viewer.ts'
import type { ListOwner } from './meeting-list-branches.ts'

type Asking = { caller: Caller; request: { address: string }; endpoint: Endpoint; userId: string }

/** The caller's own meetings. */
export const ownList = (caller: Caller, config: Service['config']): ListOwner => ({
  ...viewerOf(caller, config),
  onlyOfTenant: null,
})

/**
 * Find the owner of a list: the caller, or for an administrator another account of the organisation, which is in the
 * audit log. To all others another account is as unknown as one that does not exist.
 * @throws account_not_found
 */
export async function ownerOf(
  database: Database,
  service: Pick<Service, 'clock' | 'random' | 'encryption' | 'config'>,
  { caller, request, endpoint, userId }: Asking,
): Promise<ListOwner> {
  const { config } = service
  if (userId === 'me' || userId === caller.accountId) return ownList(caller, config)
  if (!caller.administrator || isThroughApp(caller) || !isUuid(userId)) throw problem('account_not_found')
  const account = await database
    .selectFrom('account')
    .select(['id', 'emailKey', 'emailVerifiedAt'])
    .where('id', '=', userId)
    .where('tenantId', '=', caller.tenantId)
    .executeTakeFirst()
  if (account === undefined) throw problem('account_not_found')
  const look = { action: 'meetings.viewed' as const, subjectId: account.id }
  await inTransaction(database, (tx) => auditLook(tx, service, { caller, request, endpoint }, look))
  return {
    accountId: account.id,
    addressKey: isAddressTrusted(account, config) ? account.emailKey : null,
    onlyOfTenant: caller.tenantId,
  }
}
