import { occurrenceToEnter } from '@parley/rules/rooms/admission'
import type { Tx } from '../../platform/database/database.ts'
import { seriesForEntry } from '../admission/entry-view.ts'
import { hostAtRoom } from '../admission/host-at-room.ts'
import { publishRoomChange } from '../room-topics.ts'
import type { RoomsService } from '../rooms-service.ts'
import { changeRoom, type HostRequest } from './change-room.ts'

/** Let new guests of this occurrence wait for admission, or enter directly again; repeating it changes nothing. */
export async function setAskingNewGuests(service: RoomsService, context: HostRequest, asks: boolean): Promise<void> {
  const host = await hostAtRoom(service, context, context.params.svcMeetId)
  const meetingId = host.row.id
  await changeRoom(service, {
    host,
    context,
    async change(tx, now) {
      const occurrence = occurrenceToEnter(seriesForEntry(host.row), now)?.originalStart ?? now
      const isChanged = asks ? await ask(tx, meetingId, { now, occurrence }) : await stopAsking(tx, meetingId)
      if (!isChanged) return undefined
      await publishRoomChange(tx, meetingId)
      return { action: asks ? 'room.new-guests-asked' : 'room.new-guests-not-asked' }
    },
  })
}

async function ask(tx: Tx, meetingId: string, { now, occurrence }: { now: Date; occurrence: Date }): Promise<boolean> {
  const values = { asksNewGuestsSince: now, asksNewGuestsFor: occurrence }
  const asked = await tx
    .insertInto('room')
    .values({ meetingId, ...values })
    .onConflict((conflict) =>
      conflict.column('meetingId').doUpdateSet(values).where('room.asksNewGuestsFor', 'is distinct from', occurrence),
    )
    .returning('meetingId')
    .executeTakeFirst()
  return asked !== undefined
}

async function stopAsking(tx: Tx, meetingId: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('room')
    .set({ asksNewGuestsSince: null, asksNewGuestsFor: null })
    .where('meetingId', '=', meetingId)
    .where('asksNewGuestsFor', 'is not', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}
