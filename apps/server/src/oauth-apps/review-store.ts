import type { Reason } from '@parley/contract'
import type { Database, Tx } from '../platform/database/database.ts'
import type { Random } from '../platform/random.ts'

type ReviewLine = {
  appId: string
  revision: number
  decision: 'submitted' | 'withdrawn' | 'approved' | 'rejected' | 'on_hold' | 'suspended' | 'resumed'
  reasons: readonly Reason[]
  answer?: string
  /** Null where no person decided: the document has changed, or AGENT_CLIENTS approved it. */
  decidedBy: string | null
  now: Date
  random: Random
}

/** Add an entry to an app's review history, in the transaction of the change. */
export const insertReviewLine = (tx: Tx, { reasons, now, random, ...line }: ReviewLine) =>
  tx
    .insertInto('appReview')
    .values({ id: random.uuid(now), ...line, reasons: JSON.stringify(reasons), createdAt: now })
    .execute()

/** Find the reasons of the last decision that led to each app's current status. */
export async function findReasons(database: Database, appIds: readonly string[]): Promise<Map<string, Reason[]>> {
  if (appIds.length === 0) return new Map()
  const rows = await database
    .selectFrom('appReview')
    .innerJoin('app', 'app.id', 'appReview.appId')
    .distinctOn('appReview.appId')
    .select(['appReview.appId', 'appReview.reasons'])
    .where('appReview.appId', 'in', appIds)
    .whereRef('appReview.decision', '=', 'app.status')
    .where('app.status', 'in', ['rejected', 'on_hold', 'suspended'])
    .orderBy('appReview.appId')
    .orderBy('appReview.id', 'desc')
    .execute()
  return new Map(rows.map(({ appId, reasons }) => [appId, reasons]))
}

/** More than a person reads about one app; the newest are returned. */
const maxHistoryLines = 200

/** Find an app's review history, oldest first. */
export async function findHistory(database: Database, appId: string) {
  const lines = await database
    .selectFrom('appReview')
    .leftJoin('account', 'account.id', 'appReview.decidedBy')
    .select(['appReview.revision', 'appReview.decision', 'appReview.reasons', 'appReview.answer'])
    .select('appReview.createdAt')
    .select(['account.name', 'account.lname'])
    .where('appReview.appId', '=', appId)
    .orderBy('appReview.id', 'desc')
    .limit(maxHistoryLines)
    .execute()
  return lines.toReversed()
}

export const viewHistory = (lines: Awaited<ReturnType<typeof findHistory>>) =>
  lines.map(({ name, lname, createdAt, answer, ...line }) => ({
    ...line,
    ...(answer !== '' && { answer }),
    by: `${name ?? ''} ${lname ?? ''}`.trim(),
    createdOn: createdAt.toISOString(),
  }))

/** Allows a developer's work and stops floods: each submission fetches a dozen pages. */
const maxSubmissionsPerDay = 200
const dayMs = 24 * 60 * 60 * 1000

export async function hasSubmissionsLeft(database: Database, accountId: string, now: Date): Promise<boolean> {
  const { count } = await database
    .selectFrom('appReview')
    .select((line) => line.fn.countAll<number>().as('count'))
    .where('decidedBy', '=', accountId)
    .where('decision', '=', 'submitted')
    .where('createdAt', '>', new Date(now.getTime() - dayMs))
    .executeTakeFirstOrThrow()
  return count < maxSubmissionsPerDay
}
