import type { WithDatabase } from '../../access/service.ts'
import type { Client } from '../../oauth-apps/credentials/client-store.ts'
import { type OwnerIdentity, readOwnerIdentity } from '../../oauth-apps/owner-identity.ts'

/** Facts about an app that its developer does not control. */
export type AppFacts = {
  /** The owner's name at submission: a later change of name is not shown before a review. */
  owner: OwnerIdentity
  hasLogo: boolean
}

export async function readAppFacts(
  { database, config }: Pick<WithDatabase, 'database' | 'config'>,
  { appId, ownerId, revision }: Client,
): Promise<AppFacts> {
  const { ownerName, ownerOrganisation } = revision
  const logo = await database
    .selectFrom('appLogo')
    .select('appId')
    .where('appId', '=', appId)
    .where('revision', '=', revision.number)
    .executeTakeFirst()
  const owner =
    ownerName === null
      ? await readOwnerIdentity(database, ownerId, config)
      : { name: ownerName, organisation: ownerOrganisation }
  return { owner, hasLogo: logo !== undefined }
}
