import type { Service } from '../../access/service.ts'
import type { Client } from '../../oauth-apps/credentials/client-store.ts'
import { type OwnerIdentity, readOwnerIdentity } from '../../oauth-apps/owner-identity.ts'

/** What people are told of an app beside what its developer says of it. */
export type AppFacts = {
  /** As it was when the revision was submitted: who renames themselves later is not read here before a review. */
  owner: OwnerIdentity
  hasLogo: boolean
}

export async function readAppFacts(
  { database, config }: Pick<Service, 'database' | 'config'>,
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
