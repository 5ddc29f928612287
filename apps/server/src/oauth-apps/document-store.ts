import type { Database, Tx } from '../platform/database/database.ts'

type DocumentCopy = { body: string; etag: string | null; fetchedAt: Date; freshUntil: Date }

/** Store the newest valid copy of a client's document. An earlier failure is over. */
export const upsertDocument = (tx: Tx, appId: string, copy: DocumentCopy) =>
  tx
    .insertInto('clientMetadataDocument')
    .values({ appId, ...copy, failedAt: null, failure: null })
    .onConflict((conflict) => conflict.column('appId').doUpdateSet({ ...copy, failedAt: null, failure: null }))
    .execute()

/** The copy of a client's document, and the URL that it is fetched from. */
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
