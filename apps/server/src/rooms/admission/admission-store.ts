import { admissionHoldsMs, waitsUnseenMs } from '@parley/rules/rooms/stored-admission'
import { sql } from 'kysely'
import type { OnAccessRevoked } from '../../accounts/dependencies.ts'
import { queueReconcileRoom } from '../../meetings/reconcile-room-job.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import { defineStatement, type RowOf } from '../../platform/database/define-statement.ts'
import { pick, tables } from '../../platform/database/tables.ts'
import { isUuid } from '../../platform/database/uuid.ts'
import type { Platform } from '../../platform/platform.ts'

/** A host does not read a longer waiting list. */
export const maxWaitingPeople = 1000

/** A person who enters a room, identified by an account or by the hash of a guest's cookie. */
export type EnteringPerson = { accountId: string; guestHash: null } | { accountId: null; guestHash: Buffer }

export const admissionTypes = {
  ...pick(
    tables.admission,
    'id',
    'meetingId',
    'accountId',
    'guestHash',
    'name',
    'formerName',
    'role',
    'state',
    'occurrenceAt',
    'askedAt',
    'decidedAt',
    'seenAt',
    'rights',
    'unmuteAskedAt',
    'breakoutRoom',
    'breakoutAway',
    'helpAskedAt',
  ),
  /** The grant of the app through which the person entered; null without an app. */
  grantId: tables.admission.grantId,
  /** The role that the host key, or a host inside, has given to the person. */
  grantedRole: tables.admission.grantedRole,
  inside: 'boolean',
  hasEntered: 'boolean',
  inCall: 'boolean',
} as const

/** One person's request to enter one meeting, and the decision. Each person has at most one row per meeting. */
export type AdmissionRow = RowOf<typeof admissionTypes>

/** The columns of `admissionTypes`, from the table's alias `a`. */
export const admissionColumns = sql`a.id, a.meeting_id, a.account_id, a.guest_hash,
  a.grant_id, a.name, a.former_name, a.role, a.state, a.occurrence_at, a.asked_at, a.decided_at,
  a.seen_at, a.granted_role, a.rights,
  a.unmute_asked_at, a.breakout_room, a.breakout_away, a.help_asked_at, a.entered_at is not null and a.left_at is null as inside,
  coalesce(a.entered_at >= a.decided_at, false) as has_entered,
  (a.entered_at is not null and a.left_at is null) or exists (select from room_session s
    where s.meeting_id = a.meeting_id and s.ended_at is null and s.started_at <= a.entered_at) as in_call`

type AdmissionKey = { meetingId: string; person: EnteringPerson }

/** Accounts and guests have separate indexes, hence a union of two joins. */
const findManyStatement = defineStatement({
  name: 'find-admissions',
  parameters: { meetingIds: 'uuid[]', accountIds: 'uuid?[]', guestHashes: 'bytea?[]' },
  columns: { ...admissionTypes, ordinal: 'bigint' },
  text: (p) => sql`select ${admissionColumns}, q.ordinal
   from unnest(${p.meetingIds}, ${p.accountIds}) with ordinality as q (meeting_id, account_id, ordinal)
     join admission a on a.meeting_id = q.meeting_id and a.account_id = q.account_id
   union all
   select ${admissionColumns}, q.ordinal
   from unnest(${p.meetingIds}, ${p.guestHashes}) with ordinality as q (meeting_id, guest_hash, ordinal)
     join admission a on a.meeting_id = q.meeting_id and a.guest_hash = q.guest_hash`,
})

/** Find people's admissions to meetings in one statement; results in the order of the keys. */
export async function findOwnAdmissions(
  database: Database,
  keys: readonly AdmissionKey[],
): Promise<(AdmissionRow | undefined)[]> {
  const rows = await findManyStatement.execute(database, {
    meetingIds: keys.map(({ meetingId }) => meetingId),
    accountIds: keys.map(({ person }) => person.accountId),
    guestHashes: keys.map(({ person }) => person.guestHash),
  })
  const rowByOrdinal = new Map(rows.map(({ ordinal, ...row }) => [ordinal, row]))
  return keys.map((_, index) => rowByOrdinal.get(index + 1))
}

/** Find a person's admission to a meeting; undefined if the person has never asked to enter. */
export async function findOwnAdmission(
  database: Database,
  meetingId: string,
  person: EnteringPerson,
): Promise<AdmissionRow | undefined> {
  const [admission] = await findOwnAdmissions(database, [{ meetingId, person }])
  return admission
}

/** The subquery finds the row by the index of accounts or of guests. After waiting for the lock the person is compared. */
const lockOwnStatement = defineStatement({
  name: 'lock-own-admission',
  parameters: { meetingId: tables.admission.meetingId, accountId: 'uuid?', guestHash: 'bytea?' },
  columns: admissionTypes,
  text: (p) => sql`select ${admissionColumns} from admission a
    where a.id = (
      select id from admission where meeting_id = ${p.meetingId} and account_id = ${p.accountId}
      union all
      select id from admission where meeting_id = ${p.meetingId} and guest_hash = ${p.guestHash})
    and (a.account_id = ${p.accountId} or a.guest_hash = ${p.guestHash}) for update`,
})

/** `findOwnAdmission` with a row lock, so that no host decides before the commit. */
export async function lockOwnAdmission(
  tx: Tx,
  meetingId: string,
  { accountId, guestHash }: EnteringPerson,
): Promise<AdmissionRow | undefined> {
  const [admission] = await lockOwnStatement.execute(tx, { meetingId, accountId, guestHash })
  return admission
}

const lockStatement = defineStatement({
  name: 'lock-admission',
  parameters: { meetingId: tables.admission.meetingId, admissionId: 'uuid' },
  columns: admissionTypes,
  text: (p) => sql`select ${admissionColumns} from admission a
    where a.meeting_id = ${p.meetingId} and a.id = ${p.admissionId} for update`,
})

/** Find and lock an admission that a host decides on. Ids of other meetings are not found. */
export async function lockAdmission(tx: Tx, meetingId: string, admissionId: string): Promise<AdmissionRow | undefined> {
  const [admission] = isUuid(admissionId) ? await lockStatement.execute(tx, { meetingId, admissionId }) : []
  return admission
}

export type RoomOccupancy = {
  hostIsIn: boolean
  /** People inside, not counting this person. */
  others: number
}

const occupanciesStatement = defineStatement({
  name: 'find-room-occupancies',
  parameters: { meetingIds: 'uuid[]', admissionIds: 'uuid[]' },
  columns: { meetingId: tables.admission.meetingId, hostIsIn: 'boolean', inside: 'bigint', insideIds: 'uuid[]' },
  text: (p) => sql`select a.meeting_id, bool_or(a.role <> 'participant') as host_is_in, count(*) as inside,
     coalesce(array_agg(a.id) filter (where a.id = any(${p.admissionIds})), '{}') as inside_ids
   from admission a
   where a.meeting_id = any(${p.meetingIds}) and a.entered_at is not null and a.left_at is null
   group by a.meeting_id`,
})

/**
 * Find who is inside besides the person of `admissionId`, which is undefined for a person without an admission. Reads
 * each room once; results in the order of the queries.
 */
export async function findRoomOccupancies(
  database: Database,
  queries: readonly { meetingId: string; admissionId: string | undefined }[],
): Promise<RoomOccupancy[]> {
  const meetingIds = [...new Set(queries.map(({ meetingId }) => meetingId))]
  const admissionIds = queries.flatMap(({ admissionId }) => admissionId ?? [])
  const rows = await occupanciesStatement.execute(database, { meetingIds, admissionIds })
  const rowByMeeting = new Map(rows.map((row) => [row.meetingId, row]))
  return queries.map(({ meetingId, admissionId }) => {
    const row = rowByMeeting.get(meetingId)
    if (row === undefined) return { hostIsIn: false, others: 0 }
    const isInside = admissionId !== undefined && row.insideIds.includes(admissionId)
    return { hostIsIn: row.hostIsIn, others: row.inside - (isInside ? 1 : 0) }
  })
}

/** `findRoomOccupancies` for one person. */
export async function findRoomOccupancy(
  database: Database,
  meetingId: string,
  admissionId: string | undefined,
): Promise<RoomOccupancy> {
  const [occupancy] = await findRoomOccupancies(database, [{ meetingId, admissionId }])
  if (occupancy === undefined) throw new Error('Each query has a result')
  return occupancy
}

const peopleInsideStatement = defineStatement({
  name: 'find-people-in-room',
  parameters: { meetingId: tables.admission.meetingId, admissionId: 'uuid', limit: 'bigint' },
  columns: { name: tables.admission.name, guest: 'boolean' },
  text: (p) => sql`select a.name, a.account_id is null as guest from admission a
   where a.meeting_id = ${p.meetingId} and a.entered_at is not null and a.left_at is null and a.id <> ${p.admissionId}
   order by a.entered_at, a.id limit ${p.limit}`,
})

/** The first `limit` people inside, except this person. A guest's name may be empty. */
export const listPeopleInside = (database: Database, meetingId: string, admissionId: string, limit: number) =>
  peopleInsideStatement.execute(database, { meetingId, admissionId, limit })

const insideStatement = defineStatement({
  name: 'count-inside',
  parameters: { meetingId: tables.admission.meetingId, ids: 'uuid[]' },
  columns: { inside: 'bigint' },
  text: (p) => sql`select count(*) as inside from admission a where a.meeting_id = ${p.meetingId}
     and a.id = any(${p.ids}) and a.entered_at is not null and a.left_at is null`,
})

/** Whether each of these admissions is that of a person inside. */
export async function isEveryoneInside(database: Database, meetingId: string, ids: readonly string[]) {
  const distinct = [...new Set(ids)]
  if (!distinct.every(isUuid)) return false
  const [counted] = await insideStatement.execute(database, { meetingId, ids: distinct })
  return counted?.inside === distinct.length
}

const datesInCallStatement = defineStatement({
  name: 'find-dates-in-call',
  parameters: { meetingId: tables.admission.meetingId, startedBy: 'timestamptz' },
  columns: { occurrenceAt: tables.admission.occurrenceAt },
  text: (p) => sql`select distinct a.occurrence_at from admission a
   where a.meeting_id = ${p.meetingId} and a.entered_at is not null and a.left_at is null
     and exists (select from room_session s where s.meeting_id = a.meeting_id and s.ended_at is null
       and s.started_at <= ${p.startedBy})`,
})

/** The original starts of the dates to which the people inside were admitted, if their call had begun by then. */
export const listDatesInCall = async (database: Database, meetingId: string, startedBy: Date): Promise<Date[]> =>
  (await datesInCallStatement.execute(database, { meetingId, startedBy })).map(({ occurrenceAt }) => occurrenceAt)

/** People who were last seen after this time still wait. */
export const waitingIfSeenAfter = (now: Date) => new Date(now.getTime() - waitsUnseenMs)

const waitingStatement = defineStatement({
  name: 'count-waiting',
  parameters: { meetingId: tables.admission.meetingId, waitingIfSeenAfter: 'timestamptz' },
  columns: { waiting: 'bigint' },
  text: (p) => sql`select count(*) as waiting from admission a where a.meeting_id = ${p.meetingId}
     and a.state in ('waiting_for_host', 'waiting') and a.seen_at > ${p.waitingIfSeenAfter}`,
})

/** Count the people who wait for the host to come or for admission. */
export async function countWaiting(database: Database, meetingId: string, now: Date): Promise<number> {
  const [counted] = await waitingStatement.execute(database, { meetingId, waitingIfSeenAfter: waitingIfSeenAfter(now) })
  return counted?.waiting ?? 0
}

const seenStatement = defineStatement({
  name: 'record-seen',
  parameters: { now: 'timestamptz', ids: 'uuid[]' },
  text: (p) => sql`update admission set seen_at = ${p.now} where id in (
     select id from admission where id = any(${p.ids}) and state in ('waiting_for_host', 'waiting')
     for no key update skip locked)`,
})

/** A larger batch would lock the rows of waiting people long enough for a host to notice. */
export const maxSeenBatch = 1_000

/**
 * Record that these people (at most `maxSeenBatch`) still wait. Rows that a host is deciding on wait for the next call.
 */
export const recordSeen = (database: Database, ids: readonly string[], now: Date) =>
  seenStatement.execute(database, { now, ids })

const goneStatement = defineStatement({
  name: 'record-gone',
  parameters: { ids: 'uuid[]', since: 'timestamptz[]', seenAt: tables.admission.seenAt },
  columns: { meetingId: tables.admission.meetingId },
  text: (p) => sql`update admission a set seen_at = ${p.seenAt}
   from unnest(${p.ids}, ${p.since}) as gone (id, since)
   where a.id = gone.id and a.state in ('waiting_for_host', 'waiting') and a.seen_at < gone.since
   returning a.meeting_id`,
})

/**
 * Record that these people no longer wait, unless another page of theirs was seen since.
 * @returns the ids of the meetings that they waited for
 */
export async function recordGone(
  database: Database,
  gone: readonly { id: string; since: Date }[],
  now: Date,
): Promise<string[]> {
  const rows = await goneStatement.execute(database, {
    ids: gone.map(({ id }) => id),
    since: gone.map(({ since }) => since),
    // Backdated, so that they no longer count as waiting.
    seenAt: waitingIfSeenAfter(now),
  })
  return [...new Set(rows.map(({ meetingId }) => meetingId))]
}

type Derived = 'inside' | 'hasEntered' | 'inCall'

export type AdmissionChanges = Partial<Omit<AdmissionRow, 'id' | 'meetingId' | keyof EnteringPerson | Derived>>

/** Kysely takes JSON as text. */
const toStored = <Values extends AdmissionChanges>({ rights, ...values }: Values) => ({
  ...values,
  ...(rights !== undefined && { rights: JSON.stringify(rights) }),
})

export const updateAdmission = (database: Database, id: string, changes: AdmissionChanges) =>
  database.updateTable('admission').set(toStored(changes)).where('id', '=', id).execute()

/** Change an admission unless its state has changed since it was read. */
export const updateAdmissionUnlessChanged = (
  database: Database,
  { id, state }: AdmissionRow,
  changes: AdmissionChanges,
) =>
  database
    .updateTable('admission')
    .set(toStored(changes))
    .where('id', '=', id)
    .where('state', '=', state)
    .executeTakeFirst()

/**
 * Admit everyone who waits for admission.
 * @returns their admission ids
 */
export async function admitAllWaiting(
  tx: Tx,
  meetingId: string,
  { now, occurrenceAt }: { now: Date; occurrenceAt: Date },
) {
  const admitted = await tx
    .updateTable('admission')
    .set({ state: 'admitted', decidedAt: now, askedAt: now, occurrenceAt })
    .where('meetingId', '=', meetingId)
    .where('state', '=', 'waiting')
    .where('seenAt', '>', waitingIfSeenAfter(now))
    .returning('id')
    .execute()
  return admitted.map(({ id }) => id)
}

type NewAdmission = EnteringPerson & Omit<AdmissionRow, keyof EnteringPerson | Derived>

/** Insert an admission. False if the person already has one, from a concurrent request. */
export async function insertAdmission(tx: Tx, admission: NewAdmission): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('admission')
    .values({ ...admission, rights: JSON.stringify(admission.rights) })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows > 0n
}

/**
 * Delete expired admissions of people who were never inside; the others belong to the meeting's history. Denied
 * accounts stay denied. A denied guest's cookie has ended by then, so that the row no longer identifies anyone.
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

/** The name of an account as other people in a room see it. */
export async function findAccountName(database: Database, accountId: string): Promise<string> {
  const { name } = await database
    .selectFrom('account')
    .select(sql<string>`trim(name || ' ' || lname)`.as('name'))
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  return name
}

/**
 * Remove an account from every room that it is in or waits for, and withdraw the roles that its host keys gave to
 * others. Its admissions become those of a denied guest whose cookie does not exist: the owner, who asks anew, gets a
 * new admission, and earlier media tokens stop working. Attendance keeps its account.
 */
export const createDetachAdmissions =
  ({ random }: Pick<Platform, 'random'>): OnAccessRevoked =>
  async (tx, { id: accountId }, now) => {
    const secret = random.bytes(32)
    const detached = await tx
      .updateTable('admission')
      .set({
        accountId: null,
        grantId: null,
        grantedRole: null,
        state: 'denied',
        decidedAt: now,
        guestHash: sql<Buffer>`sha256(${secret}::bytea || convert_to(id::text, 'UTF8'))`,
      })
      .where('accountId', '=', accountId)
      .returning(['meetingId', 'leftAt'])
      .execute()
    const demoted = await tx
      .updateTable('admission')
      .set({ grantedRole: null })
      .where('grantedRole', 'is not', null)
      .where('meetingId', 'in', (meetings) =>
        meetings.selectFrom('meeting').select('id').where('hostId', '=', accountId),
      )
      .returning(['meetingId', 'leftAt'])
      .execute()
    const open = [...detached, ...demoted].filter(({ leftAt }) => leftAt === null)
    for (const meetingId of new Set(open.map((admission) => admission.meetingId))) {
      await queueReconcileRoom(tx, meetingId, { changed: true })
    }
  }
