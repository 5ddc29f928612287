import type { Reason } from '@parley/contract'
import type { Random } from '../platform/random.ts'
import type { Database, Tx } from '../tables/tables.ts'

export type ReviewLine = {
  appId: string
  revision: number
  decision: 'submitted' | 'withdrawn' | 'approved' | 'rejected' | 'on_hold' | 'suspended' | 'resumed'
  reasons: readonly Reason[]
  answer?: string
  decidedBy: string
  now: Date
  random: Random
}

/** Adds a line to an app's history, in the transaction of what it tells. */
export const insertReviewLine = (tx: Tx, { reasons, now, random, ...line }: ReviewLine) =>
  tx
    .insertInto('appReview')
    .values({ id: random.uuid(now), ...line, reasons: JSON.stringify(reasons), createdAt: now })
    .execute()

/** Why each of these apps stands where it stands: the reasons of the last decision that brought it there. */
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

/** More than a person reads of one app; the newest are shown. */
const maxHistoryLines = 200

/** The oldest first. */
export async function findHistory(database: Database, appId: string) {
  const lines = await database
    .selectFrom('appReview')
    .innerJoin('account', 'account.id', 'appReview.decidedBy')
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
    by: `${name} ${lname}`.trim(),
    createdOn: createdAt.toISOString(),
  }))

/** A developer works, a flood does not: each submission makes us fetch a dozen pages. */
export const maxSubmissionsADay = 200
const dayMs = 24 * 60 * 60 * 1000

export async function hasSubmissionsLeft(database: Database, accountId: string, now: Date): Promise<boolean> {
  const { count } = await database
    .selectFrom('appReview')
    .select((line) => line.fn.countAll<number>().as('count'))
    .where('decidedBy', '=', accountId)
    .where('decision', '=', 'submitted')
    .where('createdAt', '>', new Date(now.getTime() - dayMs))
    .executeTakeFirstOrThrow()
  return count < maxSubmissionsADay
}
