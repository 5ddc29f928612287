import {
  type AllowedRights,
  breakoutAttribute,
  endRoom,
  extendCall,
  muteAll,
  type RoomRight,
  roomRights,
  updateRoom,
} from '@parley/contract'
import { extendedEnd } from '@parley/rules/rooms/call-end'
import { grantIdOf } from '../access/caller.ts'
import { inTransaction, type Tx } from '../platform/database/database.ts'
import { problem } from '../platform/http/problem.ts'
import { findRoomOccupancy, isEveryoneInside } from './admission/admission-store.ts'
import {
  callEndOf,
  decidedForAllIn,
  findMeetingForEntryById,
  occurrenceFollowing,
  occurrenceNow,
  rightsOfParticipants,
  roomSettingsOf,
} from './admission/meeting-for-entry.ts'
import { findPermittedParticipants } from './admission/permitted-participants.ts'
import type { Dependencies } from './dependencies.ts'
import { correctRightsOfAll } from './engine/correct-rights.ts'
import { rightsControllableOn } from './engine/media-engine.ts'
import { endSessionNow } from './record-attendance.ts'
import { type AuditedChange, changeRoom, requireRoomHost } from './room-host.ts'
import {
  decideRightsForAll,
  endRoomRow,
  lockRoom,
  lockRoomRow,
  requireApproval,
  setCallEnd,
  setSpotlight,
  stopRequiringApproval,
  unlockRoom,
} from './room-store.ts'
import { publishRoomChange } from './room-topics.ts'

/** Small enough to leave the engine time for media, large enough to mute a room of a thousand within a second. */
const muteBatchSize = 20

/** Register the controls of a room by its hosts. */
export function registerRoomControls(dependencies: Dependencies) {
  const { serve, clock, config, control } = dependencies

  // People inside a locked room stay and may reconnect; approval is required of new guests of this occurrence.
  serve(updateRoom, {
    handle: async (context) => {
      const host = await requireRoomHost(dependencies, context, context.params.svcMeetId)
      const { meeting } = host
      const { locked, approvalRequired, allowed = {}, spotlight } = context.body
      const decided = roomRights.filter((right) => allowed[right] !== undefined)
      if (decided.some((right) => !rightsControllableOn(config).includes(right)))
        throw problem('right_not_controllable')
      await changeRoom(dependencies, {
        host,
        context,
        async change(tx, now) {
          const changes: AuditedChange[] = []
          if (locked === true && (await lockRoom(tx, meeting.id, now))) changes.push({ action: 'room.locked' })
          if (locked === false && (await unlockRoom(tx, meeting.id))) changes.push({ action: 'room.unlocked' })
          const occurrence = occurrenceNow(meeting, now)?.originalStart ?? now
          if (approvalRequired === true && (await requireApproval(tx, meeting.id, { now, occurrence })))
            changes.push({ action: 'room.new-guests-asked' })
          if (approvalRequired === false && (await stopRequiringApproval(tx, meeting.id)))
            changes.push({ action: 'room.new-guests-not-asked' })
          if (decided.length > 0) {
            await decideRights(tx, meeting.id, { allowed, decided, occurrence, now })
            changes.push({ action: 'room.rights-changed', detail: { allowed } })
          }
          if (spotlight !== undefined) {
            await lockRoomRow(tx, meeting.id)
            const ids = spotlight.map(({ admissionId }) => admissionId)
            if (!(await isEveryoneInside(tx, meeting.id, ids))) throw problem('participant_not_found')
            await setSpotlight(tx, meeting.id, spotlight)
          }
          if (changes.length > 0 || spotlight !== undefined) await publishRoomChange(tx, meeting.id)
          return changes
        },
        ...(decided.length > 0 && {
          follow: (engine) =>
            correctRightsOfAll({ config, database: context.database }, engine, meeting.id, clock.now()),
        }),
      })
      // Read again: another host may have changed the other setting meanwhile.
      const changed = await findMeetingForEntryById(context.database, meeting.id)
      if (changed === undefined) throw problem('meeting_not_found')
      return {
        ...roomSettingsOf(changed, clock.now()),
        allowed: rightsOfParticipants(changed, clock.now()),
        spotlight: changed.spotlight,
      }
    },
  })

  // The meeting itself keeps its times.
  serve(extendCall, {
    handle: async (context) => {
      const { meeting } = await requireRoomHost(dependencies, context, context.params.svcMeetId)
      const extended = await inTransaction(context.database, async (tx) => {
        await lockRoomRow(tx, meeting.id)
        const now = clock.now()
        const current = await findMeetingForEntryById(tx, meeting.id)
        const occurrence = current && occurrenceNow(current, now)
        const announced = current && callEndOf(current, occurrence)
        const { others: inside } = await findRoomOccupancy(tx, meeting.id, undefined)
        if (!current || occurrence === undefined || announced === undefined || inside === 0)
          throw problem('call_without_end')
        const next = occurrenceFollowing(current, occurrence)
        const end = extendedEnd(announced, { minutes: context.body.minutes, occurrence, next, now })
        if (end === undefined) throw problem('call_end_final')
        await setCallEnd(tx, meeting.id, end.endsAt)
        await publishRoomChange(tx, meeting.id)
        return end
      })
      return { endsAt: extended.endsAt.toISOString(), shortened: extended.shortened }
    },
  })

  // Muted participants may unmute themselves.
  serve(muteAll, {
    handle: async (context) => {
      const { meeting, admissionId } = await requireRoomHost(dependencies, context, context.params.svcMeetId)
      // Without an engine there is nothing to mute.
      const listed = (await control?.listParticipants(meeting.id)) ?? []
      const host = listed.find(({ identity }) => identity === admissionId)
      // A host in a breakout room mutes the people there.
      const inside = listed.filter(
        ({ attributes }) => !host || attributes[breakoutAttribute] === host.attributes[breakoutAttribute],
      )
      const ids = inside.map(({ identity }) => identity)
      const onDatabase = { ...dependencies, database: context.database }
      const people = await findPermittedParticipants(onDatabase, meeting.id, ids, clock.now())
      const participants = ids.filter((id) => people?.get(id)?.role === 'participant')
      for (let start = 0; start < participants.length; start += muteBatchSize) {
        const batch = participants.slice(start, start + muteBatchSize)
        await Promise.all(
          batch.map((admissionId) => control?.stopSource({ meetingId: meeting.id, admissionId }, 'microphone')),
        )
      }
    },
  })

  // Earlier admissions no longer hold; the next occurrence opens as usual.
  serve(endRoom, {
    handle: async (context) => {
      const host = await requireRoomHost(dependencies, context, context.params.svcMeetId)
      const meetingId = host.meeting.id
      await changeRoom(dependencies, {
        host,
        context,
        async change(tx, now) {
          await lockRoomRow(tx, meetingId)
          await endSessionNow(tx, meetingId, grantIdOf(context.caller), now)
          await endRoomRow(tx, meetingId, now)
          await publishRoomChange(tx, meetingId)
          return [{ action: 'room.ended' }]
        },
        follow: (engine) => engine.closeRoom(meetingId),
      })
    },
  })
}

type Decision = {
  allowed: Partial<AllowedRights>
  decided: readonly RoomRight[]
  /** The date that it holds for. */
  occurrence: Date
  now: Date
}

/** Add a decision for all to the earlier ones of the date. Another host may have decided since the request began. */
async function decideRights(tx: Tx, meetingId: string, { allowed, decided, occurrence, now }: Decision) {
  await lockRoomRow(tx, meetingId)
  const meeting = await findMeetingForEntryById(tx, meetingId)
  if (meeting === undefined) throw problem('meeting_not_found')
  const rights = { ...decidedForAllIn(meeting, now), ...allowed }
  await decideRightsForAll(tx, meetingId, { rights, rightsFor: occurrence, changed: decided })
}
