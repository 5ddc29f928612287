import type { TesterState } from '@parley/contract'
import { addressKey } from '@parley/rules/text/email-address'
import { sql } from 'kysely'
import type { Database, Tx } from '../../platform/database/database.ts'

const dayMs = 24 * 60 * 60 * 1000

/**
 * An address that is removed and named again is emailed at most once in this time; the invitation itself applies at
 * once.
 */
const mailIntervalMs = 7 * dayMs

/** The maximum of invitation emails of one developer within 24 hours: two apps full of testers. */
export const maxTesterEmailsPerDay = 200

export const listTesterRows = (database: Database, appId: string) =>
  database
    .selectFrom('appTester')
    .select(['email', 'state', 'invitedAt', 'answeredAt'])
    .where('appId', '=', appId)
    .where('removedAt', 'is', null)
    .orderBy('emailKey')
    .execute()

type TesterRow = Awaited<ReturnType<typeof listTesterRows>>[number]

export const viewTester = ({ email, state, invitedAt, answeredAt }: TesterRow) => ({
  email,
  state,
  invitedOn: invitedAt.toISOString(),
  answeredOn: answeredAt?.toISOString() ?? null,
})

/**
 * Make these addresses the testers of an app, whose row is locked. Testers who were invited before keep their answer;
 * addresses are compared without case. Returns the addresses to email.
 */
export async function replaceTesterRows(
  tx: Tx,
  appId: string,
  { emails, mails, now }: { emails: readonly string[]; mails: boolean; now: Date },
): Promise<string[]> {
  const byKey = new Map(emails.map((email) => [addressKey(email), email]))
  const rows = await tx.selectFrom('appTester').selectAll().where('appId', '=', appId).execute()
  const known = new Map(rows.map((row) => [row.emailKey, row]))
  const invited = [...byKey].filter(([key]) => known.get(key)?.removedAt !== null)
  const mailed = invited.filter(([key]) => {
    const mailedAt = known.get(key)?.mailedAt ?? null
    return mails && (mailedAt === null || mailedAt.getTime() <= now.getTime() - mailIntervalMs)
  })
  const removed = rows.filter(({ emailKey, removedAt }) => removedAt === null && !byKey.has(emailKey))

  if (removed.length > 0) {
    const keys = removed.map(({ emailKey }) => emailKey)
    await tx
      .updateTable('appTester')
      .set({ removedAt: now })
      .where('appId', '=', appId)
      .where('emailKey', 'in', keys)
      .execute()
  }
  for (const [emailKey, email] of invited) {
    const isMailed = mailed.some(([key]) => key === emailKey)
    const mailedAt = isMailed ? now : (known.get(emailKey)?.mailedAt ?? null)
    const invitation = { email, state: 'pending' as const, invitedAt: now, mailedAt, answeredAt: null, removedAt: null }
    await tx
      .insertInto('appTester')
      .values({ appId, emailKey, ...invitation })
      .onConflict((conflict) => conflict.columns(['appId', 'emailKey']).doUpdateSet(invitation))
      .execute()
  }
  return mailed.map(([, email]) => email)
}

/** Count the invitation emails of a developer's apps within the last 24 hours. */
export async function countTesterEmails(database: Database, ownerId: string, now: Date): Promise<number> {
  const { count } = await database
    .selectFrom('appTester')
    .innerJoin('app', 'app.id', 'appTester.appId')
    .select((tester) => tester.fn.countAll<number>().as('count'))
    .where('app.ownerId', '=', ownerId)
    .where('appTester.mailedAt', '>', new Date(now.getTime() - dayMs))
    .executeTakeFirstOrThrow()
  return count
}

/** Find the state of an address's invitation; undefined when there is none. */
export async function findTesterState(
  database: Database,
  appId: string,
  emailKey: string,
): Promise<TesterState | undefined> {
  const tester = await database
    .selectFrom('appTester')
    .select('state')
    .where('appId', '=', appId)
    .where('emailKey', '=', emailKey)
    .where('removedAt', 'is', null)
    .executeTakeFirst()
  return tester?.state
}

export const answerTesterRow = (
  tx: Tx,
  appId: string,
  emailKey: string,
  { state, now }: { state: TesterState; now: Date },
) =>
  tx
    .updateTable('appTester')
    .set({ state, answeredAt: now })
    .where('appId', '=', appId)
    .where('emailKey', '=', emailKey)
    .where('removedAt', 'is', null)
    .execute()

/** Delete removed testers once their row no longer limits emails. Returns how many were deleted. */
export async function deleteRemovedTesters(database: Database, now: Date): Promise<number> {
  const longAgo = new Date(now.getTime() - mailIntervalMs)
  const { numDeletedRows } = await database
    .deleteFrom('appTester')
    .where('removedAt', '<=', longAgo)
    .where(sql<boolean>`coalesce(mailed_at, removed_at) <= ${longAgo}`)
    .executeTakeFirst()
  return Number(numDeletedRows)
}
