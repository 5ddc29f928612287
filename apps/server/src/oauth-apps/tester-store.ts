import type { TesterState } from '@parley/contract'
import { addressKey } from '@parley/rules/text/email-address'
import { sql } from 'kysely'
import type { Caller } from '../access/caller.ts'
import type { Database, Tx } from '../platform/database/database.ts'
import { isUuid } from '../platform/database/uuid.ts'

const dayMs = 24 * 60 * 60 * 1000

/**
 * An address that is removed and named again is emailed at most once in this time. The invitation itself applies at
 * once.
 */
const mailIntervalMs = 7 * dayMs

/** The maximum of invitation emails of one developer within 24 hours: enough for two apps full of testers. */
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

export const toTester = ({ email, state, invitedAt, answeredAt }: TesterRow) => ({
  email,
  state,
  invitedOn: invitedAt.toISOString(),
  answeredOn: answeredAt?.toISOString() ?? null,
})

/**
 * Make these addresses the testers of an app, whose row is locked. Testers who were invited before keep their answer;
 * addresses are compared without case.
 * @returns the addresses to email
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

/** Find the language of each account that has one of these addresses. */
export async function findLanguages(database: Database, emailKeys: readonly string[]) {
  const accounts = await database
    .selectFrom('account')
    .select(['emailKey', 'language'])
    .where('emailKey', 'in', emailKeys)
    .execute()
  return new Map(accounts.map(({ emailKey, language }) => [emailKey, language]))
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

/** Delete the rows of removed testers once they no longer limit emails. @returns the number of deleted rows */
export async function deleteRemovedTesters(database: Database, now: Date): Promise<number> {
  const longAgo = new Date(now.getTime() - mailIntervalMs)
  const { numDeletedRows } = await database
    .deleteFrom('appTester')
    .where('removedAt', '<=', longAgo)
    .where(sql<boolean>`coalesce(mailed_at, removed_at) <= ${longAgo}`)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** More apps than one person tests; the list fits on one page. */
const maxInvitationsListed = 200

type Invited = Pick<Caller, 'addressKey' | 'addressTrusted'>

/** List a person's invitations, newest first. Only a trusted address sees what was sent to it. */
export async function listInvitationRows(database: Database, invited: Invited) {
  if (!invited.addressTrusted) return []
  return invitations(database, invited).orderBy('t.invitedAt', 'desc').limit(maxInvitationsListed).execute()
}

export async function findInvitationRow(database: Database, appId: string, invited: Invited) {
  if (!isUuid(appId) || !invited.addressTrusted) return undefined
  return invitations(database, invited).where('t.appId', '=', appId).executeTakeFirst()
}

/** Invitations to usable apps, with the name that the sandbox shows. */
const invitations = (database: Database, { addressKey }: Invited) =>
  database
    .selectFrom('appTester as t')
    .innerJoin('app as p', 'p.id', 't.appId')
    .innerJoin('account as o', 'o.id', 'p.ownerId')
    .innerJoin('appRevision as r', (join) =>
      join
        .onRef('r.appId', '=', 'p.id')
        .on((on) => on('r.number', '=', on.fn.coalesce('p.draftRevision', 'p.liveRevision'))),
    )
    .select(['t.appId', 't.state', 't.invitedAt', 't.answeredAt', 'r.name', 'r.homepageUrl'])
    .select(['p.ownerId', 'o.name as ownerName', 'o.lname as ownerLname', 'o.email as ownerEmail'])
    .where('t.emailKey', '=', addressKey)
    .where('t.removedAt', 'is', null)
    .where('p.deletedAt', 'is', null)
    .where('p.status', '!=', 'suspended')
    .where('o.oauthEnabled', '=', true)
    .where('o.disabledAt', 'is', null)

export type InvitationRow = Awaited<ReturnType<typeof listInvitationRows>>[number]

export const toTesterInvitation = (row: InvitationRow) => ({
  app: { _id: row.appId, name: row.name, homepageUrl: row.homepageUrl },
  owner: { name: `${row.ownerName} ${row.ownerLname}`.trim(), email: row.ownerEmail },
  state: row.state,
  invitedOn: row.invitedAt.toISOString(),
  answeredOn: row.answeredAt?.toISOString() ?? null,
})
