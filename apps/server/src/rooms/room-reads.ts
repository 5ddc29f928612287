import type { Caller } from '../access/caller.ts'
import { createBatcher } from '../platform/database/batch.ts'
import type { Database } from '../tables/tables.ts'
import { type AdmissionRow, findOwnAdmissions, findStandings, type RoomStanding } from './admission/admission-store.ts'
import type { DoorRow } from './admission/door-row.ts'
import { findDoorsOf } from './admission/door-store.ts'
import type { Person } from './admission/person.ts'
import { findPeopleAtRooms, type SeenPerson } from './host-controls/room-watch-store.ts'

/**
 * What streams read of rooms again and again. Streams that check at the same time share each statement, and those of one
 * room share its rows: 1,000 people who are woken in one room read its meeting once.
 */
export type RoomReads = {
  findDoor(code: string, caller: Caller | undefined): Promise<DoorRow | undefined>
  findOwnAdmission(meetingId: string, person: Person): Promise<AdmissionRow | undefined>
  findStanding(meetingId: string, admissionId: string | undefined): Promise<RoomStanding>
  findPeople(meetingId: string, options: { now: Date; namesEveryAddress: boolean }): Promise<readonly SeenPerson[]>
}

export function createRoomReads(database: Database): RoomReads {
  const findDoor = createBatcher(
    shared(
      ({ code, addressKey }: { code: string; addressKey: string | null }) => `${code} ${addressKey}`,
      (asked) => findDoorsOf(database, asked),
    ),
  )
  const findOwnAdmission = createBatcher((asked: readonly { meetingId: string; person: Person }[]) =>
    findOwnAdmissions(database, asked),
  )
  const findStanding = createBatcher((asked: readonly { meetingId: string; admissionId: string | undefined }[]) =>
    findStandings(database, asked),
  )
  const findPeople = createBatcher((asked: readonly { meetingId: string; now: Date; namesEveryAddress: boolean }[]) =>
    findPeopleAtRooms(database, asked),
  )
  return {
    findDoor: (code, caller) => findDoor({ code, addressKey: caller?.addressTrusted ? caller.addressKey : null }),
    findOwnAdmission: (meetingId, person) => findOwnAdmission({ meetingId, person }),
    findStanding: (meetingId, admissionId) => findStanding({ meetingId, admissionId }),
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
