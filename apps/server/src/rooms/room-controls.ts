import { askNewGuests, endRoom, lockRoom, muteAll, stopAskingNewGuests, unlockRoom } from '@parley/contract'
import { occurrenceToEnter } from '@parley/rules/rooms/admission'
import { grantIdOf } from '../access/caller.ts'
import type { Tx } from '../platform/database/database.ts'
import { seriesForEntry } from './admission/meeting-for-entry.ts'
import { findPermittedParticipants } from './admission/permitted-participants.ts'
import { lockRoomRow } from './attendance-store.ts'
import type { RoomsService } from './dependencies.ts'
import { endSessionNow } from './record-attendance.ts'
import { changeRoom, type HostRequest, hostAtRoom } from './room-host.ts'
import { publishRoomChange } from './room-topics.ts'

/** Lock or unlock a room for one of its hosts, once: repeating it changes nothing. */
async function setRoomLock(service: RoomsService, context: HostRequest, locks: boolean): Promise<void> {
  const host = await hostAtRoom(service, context, context.params.svcMeetId)
  const meetingId = host.row.id
  await changeRoom(service, {
    host,
    context,
    async change(tx, now) {
      const isChanged = locks ? await lock(tx, meetingId, now) : await unlock(tx, meetingId)
      if (!isChanged) return undefined
      await publishRoomChange(tx, meetingId)
      return { action: locks ? 'room.locked' : 'room.unlocked' }
    },
  })
}

async function lock(tx: Tx, meetingId: string, lockedAt: Date): Promise<boolean> {
  const locked = await tx
    .insertInto('room')
    .values({ meetingId, lockedAt })
    .onConflict((conflict) => conflict.column('meetingId').doUpdateSet({ lockedAt }).where('room.lockedAt', 'is', null))
    .returning('meetingId')
    .executeTakeFirst()
  return locked !== undefined
}

async function unlock(tx: Tx, meetingId: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('room')
    .set({ lockedAt: null })
    .where('meetingId', '=', meetingId)
    .where('lockedAt', 'is not', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Lock a room. People inside a locked room stay and may reconnect; no one else may enter. */
export function serveLockRoom(service: RoomsService) {
  service.serve(lockRoom, {
    handle: async (context) => {
      await setRoomLock(service, context, true)
      return { status: 'Nobody else comes in.' }
    },
  })
}

/** Unlock a room. */
export function serveUnlockRoom(service: RoomsService) {
  service.serve(unlockRoom, {
    handle: async (context) => {
      await setRoomLock(service, context, false)
      return { status: 'People may come in again.' }
    },
  })
}

/** Let new guests of this occurrence wait for admission, or enter directly again; repeating it changes nothing. */
async function setAskingNewGuests(service: RoomsService, context: HostRequest, asks: boolean): Promise<void> {
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

/** Let new guests of this occurrence wait for admission. People who were inside stay. */
export function serveAskNewGuests(service: RoomsService) {
  service.serve(askNewGuests, {
    handle: async (context) => {
      await setAskingNewGuests(service, context, true)
      return { status: 'New guests wait until a host admits them.' }
    },
  })
}

/** Let new guests enter directly again; those who wait only for that are admitted. */
export function serveStopAskingNewGuests(service: RoomsService) {
  service.serve(stopAskingNewGuests, {
    handle: async (context) => {
      await setAskingNewGuests(service, context, false)
      return { status: 'New guests come in directly again.' }
    },
  })
}

/** Small enough to leave the engine time for media, large enough to mute a room of a thousand within a second. */
const batchSize = 20

/** Mute all microphones except those of the host and cohosts. Muted participants may unmute themselves. */
export function serveMuteAll(service: RoomsService) {
  const { serve, clock, control } = service
  serve(muteAll, {
    handle: async (context) => {
      const { row } = await hostAtRoom(service, context, context.params.svcMeetId)
      // Without an engine there is nothing to mute.
      const inside = (await control?.listParticipants(row.id)) ?? []
      const ids = inside.map(({ identity }) => identity)
      const people = await findPermittedParticipants(
        { ...service, database: context.database },
        row.id,
        ids,
        clock.now(),
      )
      const participants = ids.filter((id) => people?.get(id)?.role === 'participant')
      for (let start = 0; start < participants.length; start += batchSize) {
        const batch = participants.slice(start, start + batchSize)
        await Promise.all(
          batch.map((admissionId) => control?.stopSource({ meetingId: row.id, admissionId }, 'microphone')),
        )
      }
      return { status: 'Everybody but the hosts is muted.' }
    },
  })
}

/** End the meeting for everyone. Earlier admissions no longer hold; the next occurrence opens as usual. */
export function serveEndRoom(service: RoomsService) {
  service.serve(endRoom, {
    handle: async (context) => {
      const host = await hostAtRoom(service, context, context.params.svcMeetId)
      const meetingId = host.row.id
      await changeRoom(service, {
        host,
        context,
        async change(tx, now) {
          await lockRoomRow(tx, meetingId)
          await endSessionNow(tx, meetingId, grantIdOf(context.caller), now)
          await tx
            .updateTable('room')
            .set({ endedAt: now, lockedAt: null, asksNewGuestsSince: null, asksNewGuestsFor: null })
            .where('meetingId', '=', meetingId)
            .execute()
          await publishRoomChange(tx, meetingId)
          return { action: 'room.ended' }
        },
        follow: (control) => control.closeRoom(meetingId),
      })
      return { status: 'The meeting has ended for everybody.' }
    },
  })
}
