import { type AppRegistration, type AppStatus, listReviews, type ReplyOf } from '@parley/contract'
import { sql } from 'kysely'
import { type Cursor, readAfter, writeCursor } from '../../platform/database/cursor.ts'
import type { Database } from '../../platform/database/database.ts'
import type { AppsService } from '../apps-service.ts'
import { ownerOf, requireServiceReviewer, reviewedNumber, viewRegistration } from './reviewed-app-store.ts'

const defaultLimit = 50

/** List submitted apps of every organisation, the longest waiting first. */
export function serveListReviews({ serve }: AppsService) {
  serve(listReviews, {
    read: ({ query }) => readAfter(query.after),
    handle: async ({ caller, query: { status = 'under_review', limit = defaultLimit }, input: after, database }) => {
      await requireServiceReviewer(database, caller)
      const found = await findSubmitted(database, status, after, limit + 1)
      const page = found.slice(0, limit)
      const last = page.at(-1)
      const moreAvailable = found.length > limit
      return {
        moreAvailable,
        nextCursor: moreAvailable && last !== undefined ? writeCursor({ at: last.submittedAt, id: last.appId }) : null,
        reviews: page.map(viewReview),
      }
    },
  })
}

type Row = {
  appId: string
  name: string
  status: AppStatus
  liveRevision: number | null
  revision: number
  submittedAt: Date
  registration: AppRegistration
  clientId: string | null
  ownerId: string | null
  ownerName: string | null
  ownerLname: string | null
  email: string | null
}

function findSubmitted(
  database: Database,
  status: 'under_review' | 'on_hold' | 'all',
  cursor: Cursor | undefined,
  limit: number,
): Promise<Row[]> {
  return database
    .selectFrom('app')
    .leftJoin('account', 'account.id', 'app.ownerId')
    .innerJoin('appRevision as revision', (join) =>
      join.onRef('revision.appId', '=', 'app.id').on('revision.number', '=', reviewedNumber),
    )
    .select(['app.id as appId', 'app.status', 'app.liveRevision', 'revision.name', 'revision.number as revision'])
    .select(['app.registration', 'app.clientId', 'app.ownerId'])
    .select((row) => row.ref('revision.submittedAt').$notNull().as('submittedAt'))
    .select(['account.name as ownerName', 'account.lname as ownerLname', 'account.email'])
    .where('app.deletedAt', 'is', null)
    .where('revision.submittedAt', 'is not', null)
    .$if(status !== 'all', (apps) => apps.where('app.status', '=', status === 'all' ? 'under_review' : status))
    .$if(cursor !== undefined, (apps) =>
      apps.where(sql<boolean>`(revision.submitted_at, app.id) > (${cursor?.at}, ${cursor?.id})`),
    )
    .orderBy('revision.submittedAt')
    .orderBy('app.id')
    .limit(limit)
    .execute()
}

const viewReview = (row: Row): ReplyOf<typeof listReviews>['reviews'][number] => ({
  appId: row.appId,
  name: row.name,
  // A live revision is shown as approved whatever the state of a saved draft.
  status: row.revision === row.liveRevision && row.status !== 'suspended' ? 'approved' : row.status,
  ...viewRegistration({ app: row, owner: ownerOf(row) }),
  revision: row.revision,
  submittedOn: row.submittedAt.toISOString(),
  isNew: row.liveRevision === null,
})
