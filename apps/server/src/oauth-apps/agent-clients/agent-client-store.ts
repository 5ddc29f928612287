import type { AppRegistration, Scope } from '@parley/contract'
import type { ClientMetadata } from '@parley/rules/oauth-apps/client-metadata'
import type { Tx } from '../../platform/database/database.ts'
import type { Random } from '../../platform/random.ts'
import type { RegisteredFields } from '../app-fields.ts'
import { type RegisteredApp, withRevisions } from '../app-store.ts'
import { insertRevision } from '../review/revision-store.ts'

type AgentMetadata = ClientMetadata<Scope>

/** The fields of a revision: what the client says, and what is the same for all clients that no developer registers. */
export const fieldsOfMetadata = ({ redirectUris, ...metadata }: AgentMetadata): RegisteredFields => ({
  ...metadata,
  callbackUrls: redirectUris,
  useCase: 'other',
  description: '',
  clientType: 'native',
  requirePkce: true,
  sendIss: true,
})

type NewAgentClient = {
  registration: Exclude<AppRegistration, 'portal'>
  clientId: string
  metadata: AgentMetadata
  now: Date
  random: Random
}

/**
 * Insert a client as a draft, which no reviewer sees yet. Undefined if it exists: of two people who use it first, one
 * inserts it. It is a native client, whichever it says it is: it keeps no secret, and its redirect URIs on the person's
 * own computer match with any port (RFC 8252, 7.3).
 */
export async function insertAgentClient(tx: Tx, client: NewAgentClient): Promise<string | undefined> {
  const { registration, clientId, metadata, now, random } = client
  const inserted = await tx
    .insertInto('app')
    .values({
      id: random.uuid(now),
      ownerId: null,
      sandboxClientId: null,
      registration,
      clientId,
      clientType: 'native',
      status: 'draft',
      statusBefore: null,
      liveRevision: null,
      draftRevision: 1,
      submittedAt: null,
      deletedAt: null,
      createdAt: now,
      modifiedAt: now,
    })
    .onConflict((conflict) => conflict.column('clientId').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (inserted === undefined) return undefined
  await insertRevision(tx, inserted.id, { fields: fieldsOfMetadata(metadata), owner: undefined, now })
  return inserted.id
}

/** Lock a client that no developer has registered, with its revisions; undefined once it is deleted. */
export async function lockAgentClient(tx: Tx, appId: string): Promise<RegisteredApp | undefined> {
  const app = await tx
    .selectFrom('app')
    .selectAll()
    .where('id', '=', appId)
    .where('registration', '!=', 'portal')
    .where('deletedAt', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  return app && withRevisions(tx, app)
}
