import type { RoomRole } from '@parley/contract'
import { admissionHoldsMs, type KeptAdmission, waitsUnseenMs } from '@parley/rules/kept-admission'
import { sql } from 'kysely'
import type { Database, Tx } from '../../migrations/tables.ts'
import { statement } from '../platform/database.ts'
import type { Person } from './person.ts'

/** Waiting lists of 1,000 people are no longer read by anybody. */
export const mostWaiting = 1000

/** What is kept of somebody who asked to enter a meeting: one row for each of them, for as long as it matters. */
export type AdmissionRow = KeptAdmission & {
  id: string
  meetingId: string
  accountId: string | null
  guestHash: Buffer | null
  /** What an app's user came by; null: they came themselves. */
  grantId: string | null
  name: string
  role: RoomRole
  /** What the host's key or a host inside made of them. */
  grantedRole: 'host' | 'cohost' | null
  hardMuted: boolean
  unmuteAskedAt: Date | null
}

/** Of `a`. */
export const admissionColumns = `a.id, a.meeting_id as "meetingId", a.account_id as "accountId", a.guest_hash as "guestHash",
  a.grant_id as "grantId", a.name, a.role, a.state, a.occurrence_at as "occurrenceAt", a.asked_at as "askedAt", a.decided_at as "decidedAt",
  a.seen_at as "seenAt", a.granted_role as "grantedRole", a.hard_muted as "hardMuted",
  a.unmute_asked_at as "unmuteAskedAt", a.entered_at is not null and a.left_at is null as inside,
  coalesce(a.entered_at >= a.decided_at, false) as "hasEntered"`

/** Two statements, because each has an index of its own. */
const findStatements = {
  account: statement<AdmissionRow>(
    'find-admission-of-account',
    `select ${admissionColumns} from admission a where a.meeting_id = $1 and a.account_id = $2`,
  ),
  guest: statement<AdmissionRow>(
    'find-admission-of-guest',
    `select ${admissionColumns} from admission a where a.meeting_id = $1 and a.guest_hash = $2`,
  ),
  accountToWrite: statement<AdmissionRow>(
    'lock-admission-of-account',
    `select ${admissionColumns} from admission a where a.meeting_id = $1 and a.account_id = $2 for update`,
  ),
  guestToWrite: statement<AdmissionRow>(
    'lock-admission-of-guest',
    `select ${admissionColumns} from admission a where a.meeting_id = $1 and a.guest_hash = $2 for update`,
  ),
}

/** Undefined for somebody who has never asked to enter. */
export async function findOwnAdmission(database: Database, meetingId: string, { accountId, guestHash }: Person) {
  const find = accountId === null ? findStatements.guest : findStatements.account
  const [found] = await find(database, [meetingId, accountId ?? guestHash])
  return found
}

/** The same, until the commit: no host decides meanwhile. */
export async function lockOwnAdmission(tx: Tx, meetingId: string, { accountId, guestHash }: Person) {
  const find = accountId === null ? findStatements.guestToWrite : findStatements.accountToWrite
  const [found] = await find(tx, [meetingId, accountId ?? guestHash])
  return found
}

const lockStatement = statement<AdmissionRow>(
  'lock-admission',
  `select ${admissionColumns} from admission a where a.meeting_id = $1 and a.id = $2 for update`,
)

/** Somebody whom a host decides about, until the commit. Ids of other meetings are not found. */
export async function lockAdmission(tx: Tx, meetingId: string, admissionId: string): Promise<AdmissionRow | undefined> {
  const [found] = isUuid(admissionId) ? await lockStatement(tx, [meetingId, admissionId]) : []
  return found
}

const isUuid = (text: string) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(text)

export type RoomStanding = {
  hostIsIn: boolean
  /** Those who are in, without this person. */
  others: number
}

const standingStatement = statement<RoomStanding>(
  'find-room-standing',
  `select
     exists (select from admission a where a.meeting_id = $1 and a.entered_at is not null and a.left_at is null
       and a.role <> 'participant') as "hostIsIn",
     (select count(*) from admission a where a.meeting_id = $1 and a.entered_at is not null and a.left_at is null
       and a.id is distinct from $2) as others`,
)

const insideNamesStatement = statement<{ name: string }>(
  'find-names-inside',
  `select a.name from admission a where a.meeting_id = $1 and a.entered_at is not null and a.left_at is null
     and a.id <> $2 order by a.entered_at, a.id limit $3`,
)

/** What the first of those who are inside are called, without this person; guests may have no name. */
export const findNamesInside = async (database: Database, meetingId: string, admissionId: string, limit: number) =>
  (await insideNamesStatement(database, [meetingId, admissionId, limit])).map(({ name }) => name)

const waitingStatement = statement<{ waiting: number }>(
  'count-waiting',
  `select count(*) as waiting from admission a
   where a.meeting_id = $1 and a.state in ('waiting_for_host', 'waiting') and a.seen_at > $2`,
)

/** How the room stands for the person of an admission, or for somebody who has none. */
export async function findStanding(
  database: Database,
  meetingId: string,
  admissionId: string | undefined,
): Promise<RoomStanding> {
  const [standing] = await standingStatement(database, [meetingId, admissionId ?? null])
  if (standing === undefined) throw new Error('A count answers one row')
  return standing
}

/** How many wait at a door, for the host or for being let in. */
export async function countWaiting(database: Database, meetingId: string, now: Date): Promise<number> {
  const [counted] = await waitingStatement(database, [meetingId, unseenSince(now)])
  return counted?.waiting ?? 0
}

/** Whoever was seen after this still waits. */
export const unseenSince = (now: Date) => new Date(now.getTime() - waitsUnseenMs)

export type AdmissionChanges = {
  [Column in
    | 'name'
    | 'grantId'
    | 'role'
    | 'state'
    | 'occurrenceAt'
    | 'askedAt'
    | 'decidedAt'
    | 'seenAt'
    | 'grantedRole'
    | 'hardMuted'
    | 'unmuteAskedAt']?: AdmissionRow[Column]
}

export const changeAdmission = (database: Database, id: string, changes: AdmissionChanges) =>
  database.updateTable('admission').set(changes).where('id', '=', id).execute()

/** The same, unless somebody has decided about it since it was read. */
export const changeAdmissionIn = (database: Database, { id, state }: AdmissionRow, changes: AdmissionChanges) =>
  database.updateTable('admission').set(changes).where('id', '=', id).where('state', '=', state).execute()

/** Lets everybody in who waits. Returns their ids. */
export async function admitEverybody(
  tx: Tx,
  meetingId: string,
  { now, occurrenceAt }: { now: Date; occurrenceAt: Date },
) {
  const admitted = await tx
    .updateTable('admission')
    .set({ state: 'admitted', decidedAt: now, askedAt: now, occurrenceAt })
    .where('meetingId', '=', meetingId)
    .where('state', '=', 'waiting')
    .where('seenAt', '>', unseenSince(now))
    .returning('id')
    .execute()
  return admitted.map(({ id }) => id)
}

export type NewAdmission = Person & Omit<AdmissionRow, 'inside' | 'hasEntered' | 'accountId' | 'guestHash'>

/** Whether it was kept: the same person may have asked twice at once, and has a row by now. */
export async function insertAdmission(tx: Tx, admission: NewAdmission): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('admission')
    .values(admission)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows > 0n
}

/**
 * Forgets who asked and was never inside; who was is part of the meeting's history. Accounts that were turned away stay
 * so; a guest's cookie is gone by then, and with it what was known of them.
 */
export const forgetOldAdmissions = (database: Database, now: Date) =>
  database
    .deleteFrom('admission')
    .where('askedAt', '<=', new Date(now.getTime() - admissionHoldsMs))
    .where('enteredAt', 'is', null)
    .where((admission) => admission.or([admission('state', '<>', 'denied'), admission('accountId', 'is', null)]))
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('roomStay').select('roomStay.id').whereRef('roomStay.admissionId', '=', 'admission.id'))),
    )
    .execute()

/** The name of an account, as others in a room see it. */
export async function findAccountName(database: Database, accountId: string): Promise<string> {
  const { name } = await database
    .selectFrom('account')
    .select(sql<string>`trim(name || ' ' || lname)`.as('name'))
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  return name
}
