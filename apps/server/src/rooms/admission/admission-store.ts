import type { RoomRole } from '@parley/contract'
import { admissionHoldsMs, type KeptAdmission, waitsUnseenMs } from '@parley/rules/rooms/kept-admission'
import { sql } from 'kysely'
import { statement } from '../../platform/database/database.ts'
import { isUuid } from '../../platform/database/uuid.ts'
import type { Database, Tx } from '../../tables/tables.ts'
import type { Person } from './person.ts'

/** Waiting lists of 1,000 people are no longer read by anybody. */
export const maxWaiting = 1000

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

type AskedAdmission = { meetingId: string; person: Person }

/** Two joins of a statement, because each has an index of its own. */
const findManyStatement = statement<AdmissionRow & { place: number }>(
  'find-admissions',
  `select ${admissionColumns}, q.place
   from unnest($1::uuid[], $2::uuid[]) with ordinality as q (meeting_id, account_id, place)
     join admission a on a.meeting_id = q.meeting_id and a.account_id = q.account_id
   union all
   select ${admissionColumns}, q.place
   from unnest($1::uuid[], $3::bytea[]) with ordinality as q (meeting_id, guest_hash, place)
     join admission a on a.meeting_id = q.meeting_id and a.guest_hash = q.guest_hash`,
)

/** What `findOwnAdmission` finds, for each that is asked, in one statement. */
export async function findOwnAdmissions(
  database: Database,
  asked: readonly AskedAdmission[],
): Promise<(AdmissionRow | undefined)[]> {
  const rows = await findManyStatement(database, [
    asked.map(({ meetingId }) => meetingId),
    asked.map(({ person }) => person.accountId),
    asked.map(({ person }) => person.guestHash),
  ])
  const rowByPlace = new Map(rows.map(({ place, ...row }) => [place, row]))
  return asked.map((_, at) => rowByPlace.get(at + 1))
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

export type RoomOccupancy = {
  hostIsIn: boolean
  /** Those who are in, without this person. */
  others: number
}

const occupancyStatement = statement<RoomOccupancy>(
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
export async function findRoomOccupancy(
  database: Database,
  meetingId: string,
  admissionId: string | undefined,
): Promise<RoomOccupancy> {
  const [standing] = await occupancyStatement(database, [meetingId, admissionId ?? null])
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

const occupanciesStatement = statement<{ meetingId: string; hostIsIn: boolean; inside: number; insideIds: string[] }>(
  'find-room-standings',
  `select a.meeting_id as "meetingId", bool_or(a.role <> 'participant') as "hostIsIn", count(*) as inside,
     coalesce(array_agg(a.id) filter (where a.id = any($2::uuid[])), '{}') as "insideIds"
   from admission a where a.meeting_id = any($1::uuid[]) and a.entered_at is not null and a.left_at is null
   group by a.meeting_id`,
)

/** What `findRoomOccupancy` finds, for each that is asked, in one statement that reads each room once. */
export async function findRoomOccupancies(
  database: Database,
  asked: readonly { meetingId: string; admissionId: string | undefined }[],
): Promise<RoomOccupancy[]> {
  const meetingIds = [...new Set(asked.map(({ meetingId }) => meetingId))]
  const admissionIds = asked.flatMap(({ admissionId }) => admissionId ?? [])
  const rows = await occupanciesStatement(database, [meetingIds, admissionIds])
  const rowByMeeting = new Map(rows.map((row) => [row.meetingId, row]))
  return asked.map(({ meetingId, admissionId }) => {
    const row = rowByMeeting.get(meetingId)
    if (row === undefined) return { hostIsIn: false, others: 0 }
    const isInside = admissionId !== undefined && row.insideIds.includes(admissionId)
    return { hostIsIn: row.hostIsIn, others: row.inside - (isInside ? 1 : 0) }
  })
}

const noteSeenStatement = statement(
  'note-seen',
  `update admission set seen_at = $1 where id in (
     select id from admission where id = any($2::uuid[]) and state in ('waiting_for_host', 'waiting')
     for no key update skip locked)`,
)

/** More would hold the rows of people who wait for longer than a host notices. */
export const maxNotedAtOnce = 1_000

/** Note that these people, `maxNotedAtOnce` at most, still wait; who is being decided about is left to the next note. */
export const noteSeen = (database: Database, ids: readonly string[], now: Date) =>
  noteSeenStatement(database, [now, ids])

const noteGoneStatement = statement<{ meetingId: string }>(
  'note-gone',
  `update admission a set seen_at = $3
   from unnest($1::uuid[], $2::timestamptz[]) as gone (id, since)
   where a.id = gone.id and a.state in ('waiting_for_host', 'waiting') and a.seen_at < gone.since
   returning a.meeting_id as "meetingId"`,
)

/**
 * Note that these people wait no longer, unless another page of theirs was seen since.
 * @returns the meetings at whose doors they waited
 */
export async function noteGone(
  database: Database,
  gone: readonly { id: string; since: Date }[],
  now: Date,
): Promise<string[]> {
  const ids = gone.map(({ id }) => id)
  const since = gone.map((each) => each.since)
  const rows = await noteGoneStatement(database, [ids, since, unseenSince(now)])
  return [...new Set(rows.map(({ meetingId }) => meetingId))]
}

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
export const deleteOldAdmissions = (database: Database, now: Date) =>
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
