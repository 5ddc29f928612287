import type { StoredBreakout } from '@parley/rules/rooms/breakout-rooms'
import { sql } from 'kysely'
import type { Tx } from '../../platform/database/database.ts'
import { defineStatement } from '../../platform/database/define-statement.ts'
import { tables } from '../../platform/database/tables.ts'

/** Store the breakout rooms of a call, after `lockRoomRow`; null closes them. */
export const setBreakout = (tx: Tx, meetingId: string, breakout: StoredBreakout | null) =>
  tx
    .updateTable('room')
    .set({ breakout: breakout === null ? null : JSON.stringify(breakout) })
    .where('meetingId', '=', meetingId)
    .execute()

const placeStatement = defineStatement({
  name: 'place-in-breakout-rooms',
  parameters: { meetingId: tables.admission.meetingId, ids: 'uuid[]', rooms: 'uuid?[]' },
  columns: { id: 'uuid' },
  text: (p) => sql`update admission a set breakout_room = q.room, breakout_away = false, help_asked_at = null
   from unnest(${p.ids}, ${p.rooms}) as q (id, room)
   where a.id = q.id and a.meeting_id = ${p.meetingId} and a.state = 'admitted'
   returning a.id`,
})

/**
 * Put admitted people into breakout rooms, or into the main room; others of these ids are left out.
 * @returns the ids of those who were placed
 */
export async function placeInBreakoutRooms(
  tx: Tx,
  meetingId: string,
  places: readonly { admissionId: string; room: string | null }[],
): Promise<string[]> {
  // The last place of a person counts: one update would apply any of them.
  const byPerson = new Map(places.map(({ admissionId, room }) => [admissionId, room]))
  const placed = await placeStatement.execute(tx, {
    meetingId,
    ids: [...byPerson.keys()],
    rooms: [...byPerson.values()],
  })
  return placed.map(({ id }) => id)
}

/** End the requests for help of the people in a breakout room, to which a host has come. False if there were none. */
export async function endHelpIn(tx: Tx, meetingId: string, room: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('admission')
    .set({ helpAskedAt: null })
    .where('meetingId', '=', meetingId)
    .where('breakoutRoom', '=', room)
    .where('helpAskedAt', 'is not', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
