import type { WithDatabase } from '../../access/service.ts'
import { clientHostOf } from '../../oauth-apps/client-host.ts'
import type { Client } from '../../oauth-apps/credentials/client-store.ts'
import { type OwnerIdentity, readOwnerIdentity } from '../../oauth-apps/owner-identity.ts'

/** Facts about an app that its developer does not control. */
export type AppFacts = {
  /**
   * The owner's name at submission: a later change of name is not shown before a review. Undefined of clients that no
   * developer has registered.
   */
  owner: OwnerIdentity | undefined
  hasLogo: boolean
}

/** What an app is called on the sign-in page: of a client that is named by its document, the host, which it cannot choose. */
export const nameBeforeSignIn = (client: Client): string => clientHostOf(client).clientHost ?? client.revision.name

export async function readAppFacts(
  { database, config }: Pick<WithDatabase, 'database' | 'config'>,
  { appId, ownerId, unreviewed, liveByConfiguration, revision }: Client,
): Promise<AppFacts> {
  const { ownerName, ownerOrganisation } = revision
  const logo = await database
    .selectFrom('appLogo')
    .select('appId')
    .where('appId', '=', appId)
    .where('revision', '=', revision.number)
    .executeTakeFirst()
  // A logo is shown only after a reviewer has seen it.
  const hasLogo = logo !== undefined && !unreviewed && !liveByConfiguration
  if (ownerId === null) return { owner: undefined, hasLogo }
  const owner =
    ownerName === null
      ? await readOwnerIdentity(database, ownerId, config)
      : { name: ownerName, organisation: ownerOrganisation }
  return { owner, hasLogo }
}
