import type { Caller } from '../access/caller.ts'
import { createBatcher } from '../platform/database/batch.ts'
import type { Database } from '../platform/database/database.ts'
import {
  type AdmissionRow,
  type EnteringPerson,
  findOwnAdmissions,
  findRoomOccupancies,
  type RoomOccupancy,
} from './admission/admission-store.ts'
import {
  type EntryQuery,
  entryQueryOf,
  findMeetingsForEntry,
  type MeetingForEntry,
} from './admission/meeting-for-entry.ts'
import { type ListedPerson, listPeopleAtRooms } from './room-store.ts'

/**
 * Batched reads for streams, which read the same rows repeatedly. Streams that read at the same time share each
 * statement, and streams of one room share its rows: 1,000 people who are notified in one room read its meeting once.
 */
export type RoomReads = {
  findMeeting(code: string, caller: Caller | undefined): Promise<MeetingForEntry | undefined>
  findOwnAdmission(meetingId: string, person: EnteringPerson): Promise<AdmissionRow | undefined>
  findRoomOccupancy(meetingId: string, admissionId: string | undefined): Promise<RoomOccupancy>
  listPeople(meetingId: string, options: { now: Date; namesEveryAddress: boolean }): Promise<readonly ListedPerson[]>
}

export function createRoomReads(database: Database): RoomReads {
  const findMeeting = createBatcher(
    findDistinct(
      ({ code, addressKey }: EntryQuery) => `${code} ${addressKey}`,
      (queries) => findMeetingsForEntry(database, queries),
    ),
  )
  const findOwnAdmission = createBatcher((keys: readonly { meetingId: string; person: EnteringPerson }[]) =>
    findOwnAdmissions(database, keys),
  )
  const findRoomOccupancy = createBatcher(
    (queries: readonly { meetingId: string; admissionId: string | undefined }[]) =>
      findRoomOccupancies(database, queries),
  )
  const listPeople = createBatcher((queries: readonly { meetingId: string; now: Date; namesEveryAddress: boolean }[]) =>
    listPeopleAtRooms(database, queries),
  )
  return {
    findMeeting: (code, caller) => findMeeting(entryQueryOf(code, caller)),
    findOwnAdmission: (meetingId, person) => findOwnAdmission({ meetingId, person }),
    findRoomOccupancy: (meetingId, admissionId) => findRoomOccupancy({ meetingId, admissionId }),
    listPeople: (meetingId, options) => listPeople({ meetingId, ...options }),
  }
}

/** Run each distinct query once and share its result among all callers. */
function findDistinct<Query, Result>(
  keyOf: (query: Query) => string,
  findAll: (queries: readonly Query[]) => Promise<readonly Result[]>,
): (queries: readonly Query[]) => Promise<readonly Result[]> {
  return async (queries) => {
    const queryByKey = new Map(queries.map((query) => [keyOf(query), query]))
    const results = await findAll([...queryByKey.values()])
    const resultByKey = new Map([...queryByKey.keys()].map((key, index) => [key, results[index] as Result]))
    return queries.map((query) => resultByKey.get(keyOf(query)) as Result)
  }
}
