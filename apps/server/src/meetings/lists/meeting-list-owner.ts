import type { Caller } from '../../access/caller.ts'
import { isAddressTrusted } from '../../access/trusted-address.ts'
import type { Config } from '../../platform/config/config.ts'
import { isUuid } from '../../platform/database/uuid.ts'
import { problem } from '../../platform/http/problem.ts'
import type { Database } from '../../tables/tables.ts'
import { viewerOf } from '../view/meeting-viewer.ts'
import type { ListOwner } from './meeting-list-branches.ts'

/**
 * Find the owner of a list: the caller, or another account for an administrator. Does not reveal whether an account
 * exists.
 */
export async function ownerOf(database: Database, userId: string, caller: Caller, config: Config): Promise<ListOwner> {
  if (userId === 'me' || userId === caller.accountId) return { ...viewerOf(caller, config), onlyOfTenant: null }
  if (!viewerOf(caller, config).administrator || !isUuid(userId)) throw problem('forbidden')
  const account = await database
    .selectFrom('account')
    .select(['id', 'emailKey', 'emailVerifiedAt'])
    .where('id', '=', userId)
    .where('tenantId', '=', caller.tenantId)
    .executeTakeFirst()
  if (account === undefined) throw problem('forbidden')
  return {
    accountId: account.id,
    addressKey: isAddressTrusted(account, config) ? account.emailKey : null,
    onlyOfTenant: caller.tenantId,
  }
}
