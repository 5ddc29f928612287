import type { AppRegistration, Scope } from '@parley/contract'
import type { ClientMetadata } from '@parley/rules/oauth-apps/client-metadata'
import { sql } from 'kysely'
import { isAddressTrusted } from '../../access/trusted-address.ts'
import { findServiceTenant } from '../../accounts/account/tenant-store.ts'
import type { Config } from '../../platform/config/config.ts'
import { type Database, inTransaction, type Tx } from '../../platform/database/database.ts'
import type { Random } from '../../platform/random.ts'
import { insertRevision, type RegisteredApp, type RegisteredFields, withRevisions } from '../app-store.ts'

type AgentMetadata = ClientMetadata<Scope>

/** Convert what a client says about itself to the fields of a revision. */
export const fieldsOfMetadata = ({ redirectUris, ...metadata }: AgentMetadata): RegisteredFields => ({
  ...metadata,
  callbackUrls: redirectUris,
  embedOrigins: [],
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
 * Insert a client as a draft, which no reviewer sees yet. The client is native even if its document says otherwise: a
 * native client keeps no secret, and its redirect URIs on the person's own computer match with any port (RFC 8252,
 * 7.3).
 *
 * @returns undefined if the client exists, for example because another person has just inserted it
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

/** Find a revision of a client, and how the client is registered. */
export const findClientRevision = (database: Database, appId: string, number: number) =>
  database
    .selectFrom('appRevision as r')
    .innerJoin('app as p', 'p.id', 'r.appId')
    .selectAll('r')
    .select(['p.registration', 'p.clientId'])
    .where('r.appId', '=', appId)
    .where('r.number', '=', number)
    .where('p.deletedAt', 'is', null)
    .executeTakeFirst()

export async function countRevisionsSince(tx: Tx, appId: string, since: Date): Promise<number> {
  const { count } = await tx
    .selectFrom('appRevision')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('appId', '=', appId)
    .where('createdAt', '>', since)
    .executeTakeFirstOrThrow()
  return count
}

/** Mark a revision as submitted, unless it is. */
export const markRevisionSubmitted = (tx: Tx, appId: string, number: number, now: Date) =>
  tx
    .updateTable('appRevision')
    .set({ submittedAt: now })
    .where('appId', '=', appId)
    .where('number', '=', number)
    .where('submittedAt', 'is', null)
    .execute()

/** Count the clients that wait for a review and that no developer has registered. */
export async function countWaitingClients(database: Database): Promise<number> {
  const { waiting } = await database
    .selectFrom('app')
    .select(({ fn }) => fn.countAll<number>().as('waiting'))
    .where('registration', '!=', 'portal')
    .where('status', '=', 'under_review')
    .where('deletedAt', 'is', null)
    .executeTakeFirstOrThrow()
  return waiting
}

type DocumentCopy = { body: string; etag: string | null; fetchedAt: Date; freshUntil: Date }

/** Store the newest valid copy of a client's document, and clear an earlier failure. */
export const upsertDocument = (tx: Tx, appId: string, copy: DocumentCopy) =>
  tx
    .insertInto('clientMetadataDocument')
    .values({ appId, ...copy, failedAt: null, failure: null })
    .onConflict((conflict) => conflict.column('appId').doUpdateSet({ ...copy, failedAt: null, failure: null }))
    .execute()

/** Find the copy of a client's document, and the URL that it is fetched from. */
export const findDocument = (database: Database, appId: string) =>
  database
    .selectFrom('clientMetadataDocument as d')
    .innerJoin('app as p', 'p.id', 'd.appId')
    .selectAll('d')
    .select(['p.status', 'p.registration', 'p.clientId'])
    .select((row) => row.ref('p.clientId').$notNull().as('url'))
    .where('d.appId', '=', appId)
    .where('p.deletedAt', 'is', null)
    .executeTakeFirst()

export type DocumentRow = NonNullable<Awaited<ReturnType<typeof findDocument>>>

/** Find the state of the document that names a client; undefined while the client is unknown. */
export const findKnownDocument = (database: Database, clientId: string) =>
  database
    .selectFrom('app as p')
    .innerJoin('clientMetadataDocument as d', 'd.appId', 'p.id')
    .select(['p.id', 'd.freshUntil', 'd.failedAt'])
    .where('p.clientId', '=', clientId)
    .where('p.deletedAt', 'is', null)
    .executeTakeFirst()

export const recordDocumentFailure = (tx: Tx, appId: string, failure: string, now: Date) =>
  tx.updateTable('clientMetadataDocument').set({ failedAt: now, failure }).where('appId', '=', appId).execute()

/** Use the stored copy until this time. */
export const postponeDocument = (tx: Tx, appId: string, freshUntil: Date) =>
  tx.updateTable('clientMetadataDocument').set({ freshUntil }).where('appId', '=', appId).execute()

/**
 * Count the submissions since a time: the submissions of one cause, and the submissions of all causes that were within
 * their own limit. A cause is an account, or the app whose document has changed.
 */
export async function countMailedSubmissions(
  tx: Tx,
  { cause, maxMailedOfCause, since }: { cause: string; maxMailedOfCause: number; since: Date },
) {
  const { rows } = await sql<{ ofCause: number; mailed: number }>`
    select count(*) filter (where cause = ${cause}) as of_cause,
      count(*) filter (where nth <= ${maxMailedOfCause}) as mailed
    from (
      select coalesce(r.decided_by, r.app_id) as cause,
        row_number() over (partition by coalesce(r.decided_by, r.app_id) order by r.created_at) as nth
      from app_review r join app on app.id = r.app_id
      where app.registration <> 'portal' and r.decision = 'submitted'
        and r.created_at > ${since}
    ) as submission`.execute(tx)
  return rows[0] ?? { ofCause: 0, mailed: 0 }
}

/** The oldest accounts among the reviewers of a large organisation. */
const maxMailedReviewers = 10

/**
 * Find the reviewers of the organisation that runs the service, or its administrators if it has none, whose address is
 * trusted.
 */
export async function findReviewersToMail(tx: Tx, config: Config) {
  const tenantId = await findServiceTenant(tx)
  if (tenantId === undefined) return []
  for (const role of ['reviewer', 'administrator'] as const) {
    const accounts = await tx
      .selectFrom('account')
      .select(['email', 'language', 'emailVerifiedAt'])
      .where('tenantId', '=', tenantId)
      .where(role, '=', true)
      .where('disabledAt', 'is', null)
      .orderBy('id')
      .limit(maxMailedReviewers)
      .execute()
    const trusted = accounts.filter((account) => isAddressTrusted(account, config))
    if (trusted.length > 0) return trusted
  }
  return []
}

const dayMs = 24 * 60 * 60 * 1000

/** Named in docs/oauth.md. An approved client is kept longer: the person who waited for the approval comes back later. */
const unusedMs = dayMs
const approvedUnusedMs = 30 * dayMs

/** Deleting as many takes about 10 ms. The job of the next hour deletes the rest. */
const maxDeletedClients = 1_000

/**
 * Delete clients that have registered themselves and that no person uses: for a day, or 30 days if approved, they neither
 * wait for a review nor are connected. A suspended client stays, so that it cannot return unseen. Rows of a client that
 * was connected stay, because grants refer to it.
 */
export async function deleteUnusedRegistrations(database: Database, now: Date): Promise<void> {
  const since = (ms: number) => new Date(now.getTime() - ms)
  const unusedSince = sql`case p.status when 'approved' then ${since(approvedUnusedMs)}::timestamptz
    else ${since(unusedMs)}::timestamptz end`
  await inTransaction(database, async (tx) => {
    const { rows } = await sql<{ id: string; hadGrants: boolean }>`
      select p.id, exists (select from app_grant g where g.app_id = p.id) as had_grants from app p
      where p.registration = 'dynamic' and p.deleted_at is null and p.status in ('draft', 'approved', 'rejected')
        and p.modified_at <= ${unusedSince}
        and not exists (select from app_grant g where g.app_id = p.id
          and least(coalesce(g.revoked_at, g.expires_at), g.expires_at) > ${unusedSince})
      order by p.id limit ${maxDeletedClients} for update skip locked`.execute(tx)
    const used = rows.filter(({ hadGrants }) => hadGrants).map(({ id }) => id)
    if (used.length > 0) {
      await tx.updateTable('app').set({ deletedAt: now, modifiedAt: now }).where('id', 'in', used).execute()
    }
    await deleteRows(
      tx,
      rows.filter(({ hadGrants }) => !hadGrants).map(({ id }) => id),
    )
  })
}

/** The tables with rows of an app that was never connected. A table that others refer to is last. */
const tablesOfApp = ['appEvent', 'reviewReading', 'appReview', 'appCheck', 'appLogo', 'appRevision'] as const

async function deleteRows(tx: Tx, appIds: readonly string[]): Promise<void> {
  if (appIds.length === 0) return
  for (const table of tablesOfApp) await tx.deleteFrom(table).where('appId', 'in', appIds).execute()
  await tx.deleteFrom('app').where('id', 'in', appIds).execute()
}
