import type { Caller } from '../access/caller.ts'
import { createBatcher } from '../platform/database/batch.ts'
import type { Database } from '../tables/tables.ts'
import {
  type AdmissionRow,
  findOwnAdmissions,
  findRoomOccupancies,
  type RoomOccupancy,
} from './admission/admission-store.ts'
import { findMeetingsForEntry } from './admission/find-meeting-for-entry.ts'
import type { MeetingForEntry } from './admission/meeting-for-entry.ts'
import type { Person } from './admission/person.ts'
import { findPeopleAtRooms, type SeenPerson } from './host-controls/room-watch-store.ts'

/**
 * What streams read of rooms again and again. Streams that check at the same time share each statement, and those of one
 * room share its rows: 1,000 people who are woken in one room read its meeting once.
 */
export type RoomReads = {
  findMeeting(code: string, caller: Caller | undefined): Promise<MeetingForEntry | undefined>
  findOwnAdmission(meetingId: string, person: Person): Promise<AdmissionRow | undefined>
  findRoomOccupancy(meetingId: string, admissionId: string | undefined): Promise<RoomOccupancy>
  findPeople(meetingId: string, options: { now: Date; namesEveryAddress: boolean }): Promise<readonly SeenPerson[]>
}

export function createRoomReads(database: Database): RoomReads {
  const findMeeting = createBatcher(
    shared(
      ({ code, addressKey }: { code: string; addressKey: string | null }) => `${code} ${addressKey}`,
      (asked) => findMeetingsForEntry(database, asked),
    ),
  )
  const findOwnAdmission = createBatcher((asked: readonly { meetingId: string; person: Person }[]) =>
    findOwnAdmissions(database, asked),
  )
  const findRoomOccupancy = createBatcher((asked: readonly { meetingId: string; admissionId: string | undefined }[]) =>
    findRoomOccupancies(database, asked),
  )
  const findPeople = createBatcher((asked: readonly { meetingId: string; now: Date; namesEveryAddress: boolean }[]) =>
    findPeopleAtRooms(database, asked),
  )
  return {
    findMeeting: (code, caller) => findMeeting({ code, addressKey: caller?.addressTrusted ? caller.addressKey : null }),
    findOwnAdmission: (meetingId, person) => findOwnAdmission({ meetingId, person }),
    findRoomOccupancy: (meetingId, admissionId) => findRoomOccupancy({ meetingId, admissionId }),
    findPeople: (meetingId, options) => findPeople({ meetingId, ...options }),
  }
}

/** Asks once for what several ask alike. */
function shared<HandlerContext, Answer>(
  keyOf: (ask: HandlerContext) => string,
  findAll: (asks: readonly HandlerContext[]) => Promise<readonly Answer[]>,
): (asks: readonly HandlerContext[]) => Promise<readonly Answer[]> {
  return async (asks) => {
    const askByKey = new Map(asks.map((ask) => [keyOf(ask), ask]))
    const answers = await findAll([...askByKey.values()])
    const answerByKey = new Map([...askByKey.keys()].map((key, at) => [key, answers[at] as Answer]))
    return asks.map((ask) => answerByKey.get(keyOf(ask)) as Answer)
  }
}
