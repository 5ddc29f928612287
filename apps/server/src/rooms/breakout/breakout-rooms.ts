import {
  changeOwnBreakoutRoom,
  maxBreakoutMessageLength,
  maxBreakoutNameLength,
  openBreakoutRooms,
  updateBreakoutRooms,
} from '@parley/contract'
import {
  closingTime,
  currentRoomOf,
  moveOneself,
  openBreakout,
  type StoredBreakout,
  viewBreakout,
} from '@parley/rules/rooms/breakout-rooms'
import { collect, readOptional, readRequired } from '@parley/rules/text/parsed'
import { readPlainText } from '@parley/rules/text/plain-text'
import { queueReconcileRoom, queueReconcileRoomAfter } from '../../meetings/reconcile-room-job.ts'
import { type Database, inTransaction, type Tx } from '../../platform/database/database.ts'
import { isUuid } from '../../platform/database/uuid.ts'
import { problem } from '../../platform/http/problem.ts'
import { findOwnAdmission, findRoomOccupancy, lockOwnAdmission, updateAdmission } from '../admission/admission-store.ts'
import { findMeetingForEntry, findMeetingForEntryById } from '../admission/meeting-for-entry.ts'
import { findPermittedParticipants } from '../admission/permitted-participants.ts'
import { personOf, visitorRoleIn } from '../admission/visitor.ts'
import type { Dependencies } from '../dependencies.ts'
import { correctRightsOfAll } from '../engine/correct-rights.ts'
import type { MediaControl } from '../engine/media-control.ts'
import { supportsBreakoutRooms } from '../engine/media-engine.ts'
import { type AuditedChange, changeRoom, requireRoomHost } from '../room-host.ts'
import { lockRoomRow } from '../room-store.ts'
import { publishAdmissionChange, publishRoomChange } from '../room-topics.ts'
import { endHelpIn, placeInBreakoutRooms, setBreakout } from './breakout-store.ts'

const minuteMs = 60_000

/** Register breakout rooms: hosts open, change and close them; people go to them, and ask for help (decision 0179). */
export function registerBreakoutRooms(dependencies: Dependencies) {
  registerHostControls(dependencies)
  registerOwnMoves(dependencies)
}

function registerHostControls(dependencies: Dependencies) {
  const { serve, clock, config, random } = dependencies
  const follow = (database: Database, meetingId: string) => (engine: MediaControl) =>
    correctRightsOfAll({ config, database }, engine, meetingId, clock.now())

  serve(openBreakoutRooms, {
    read: ({ body }) =>
      readRequired(body.rooms, (rooms) =>
        collect(
          rooms.map((room, index) =>
            readRequired(room?.name, (text) =>
              readPlainText(`/rooms/${index}/name`, text, { minLength: 1, maxLength: maxBreakoutNameLength }),
            ),
          ),
        ),
      ),
    handle: async (context) => {
      const { body, database, input: names } = context
      const host = await requireRoomHost(dependencies, context, context.params.svcMeetId)
      if (!supportsBreakoutRooms(config)) throw problem('breakout_rooms_not_supported')
      const meetingId = host.meeting.id
      let opened: StoredBreakout | undefined
      await changeRoom(dependencies, {
        host,
        context,
        async change(tx, now) {
          if ((await lockBreakout(tx, meetingId, now)) !== undefined) throw problem('breakout_rooms_open')
          const { others: inside } = await findRoomOccupancy(tx, meetingId, undefined)
          if (inside === 0) throw problem('call_not_in_progress')
          const rooms = names.map((name) => ({ id: random.uuid(now), name: name.trim() }))
          opened = { rooms, choice: body.choice ?? false, endsAt: endAfter(body.minutes, now), message: null }
          const places = rooms.flatMap(({ id: room }, index) =>
            (body.rooms[index]?.participants ?? []).filter(isUuid).map((admissionId) => ({ admissionId, room })),
          )
          await placeInBreakoutRooms(tx, meetingId, places)
          await storeBreakout(tx, meetingId, opened, now)
          await publishRoomChange(tx, meetingId)
          return [{ action: 'room.breakout-rooms-opened', detail: { rooms: rooms.length } }]
        },
        follow: follow(database, meetingId),
      })
      return { breakout: viewBreakout(opened) }
    },
  })

  serve(updateBreakoutRooms, {
    read: ({ body }) =>
      readOptional(body.message, (text) =>
        readPlainText('/message', text, { minLength: 1, maxLength: maxBreakoutMessageLength }),
      ),
    handle: async (context) => {
      const { body, database, input: text } = context
      const host = await requireRoomHost(dependencies, context, context.params.svcMeetId)
      const meetingId = host.meeting.id
      let changed: StoredBreakout | undefined
      await changeRoom(dependencies, {
        host,
        context,
        async change(tx, now) {
          const breakout = await lockBreakout(tx, meetingId, now)
          if (breakout === undefined) throw problem('breakout_rooms_not_open')
          const audited: AuditedChange[] = []
          const { moves = [], closeInSeconds } = body
          if (moves.length > 0) {
            const known = new Set(breakout.rooms.map(({ id }) => id))
            if (moves.some(({ room }) => room !== null && !known.has(room))) throw problem('breakout_room_not_found')
            const placed = await placeInBreakoutRooms(
              tx,
              meetingId,
              moves.filter(({ admissionId }) => isUuid(admissionId)),
            )
            if (placed.length === 0) throw problem('participant_not_found')
            audited.push({ action: 'room.participants-moved', detail: { participants: placed.length } })
          }
          const planned: StoredBreakout = {
            ...breakout,
            choice: body.choice ?? breakout.choice,
            endsAt: body.minutes === undefined ? breakout.endsAt : endAfter(body.minutes, now),
            message: text === undefined ? breakout.message : { text: text.trim(), sentOn: now.toISOString() },
          }
          const next =
            closeInSeconds === undefined
              ? planned
              : { ...planned, endsAt: closingTime(planned, closeInSeconds, now).toISOString() }
          changed = openBreakout(next, now)
          await storeBreakout(tx, meetingId, changed, now)
          if (closeInSeconds !== undefined) audited.push({ action: 'room.breakout-rooms-closed' })
          await publishRoomChange(tx, meetingId)
          return audited
        },
        follow: follow(database, meetingId),
      })
      return { breakout: viewBreakout(changed) }
    },
  })
}

const endAfter = (minutes: number | null | undefined, now: Date): string | null =>
  minutes === null || minutes === undefined ? null : new Date(now.getTime() + minutes * minuteMs).toISOString()

/** Lock the room, and find its breakout rooms: another host may have opened or closed them since the request began. */
async function lockBreakout(tx: Tx, meetingId: string, now: Date): Promise<StoredBreakout | undefined> {
  await lockRoomRow(tx, meetingId)
  const meeting = await findMeetingForEntryById(tx, meetingId)
  return openBreakout(meeting?.breakout ?? null, now)
}

/** Store the breakout rooms, and queue the return of everyone at their end. */
async function storeBreakout(tx: Tx, meetingId: string, breakout: StoredBreakout | undefined, now: Date) {
  await setBreakout(tx, meetingId, breakout ?? null)
  const endsAt = breakout?.endsAt
  if (endsAt) await queueReconcileRoomAfter(tx, meetingId, new Date(endsAt).getTime() - now.getTime())
}

function registerOwnMoves(dependencies: Dependencies) {
  const { serve, clock, guestCookie, attemptLimits, control } = dependencies
  serve(changeOwnBreakoutRoom, {
    handle: async ({ caller, params, body, request, database }) => {
      const person = personOf(guestCookie, { caller, request })
      const meeting = await findMeetingForEntry(database, params.svcMeetId, caller)
      if (person === undefined || meeting === undefined) throw problem('admission_not_found')
      const known = await findOwnAdmission(database, meeting.id, person)
      if (known?.id !== params.admissionId) throw problem('admission_not_found')
      await attemptLimits.countOrRefuse('breakoutMovesOfPerson', known.id)
      await inTransaction(database, async (tx) => {
        const now = clock.now()
        const breakout = await lockBreakout(tx, meeting.id, now)
        const admission = await lockOwnAdmission(tx, meeting.id, person)
        if (admission?.state !== 'admitted' || !admission.inside) throw problem('admission_not_found')
        if (breakout === undefined) throw problem('breakout_rooms_not_open')
        const { role } = visitorRoleIn(meeting, caller, admission.grantedRole)
        const place =
          body.room === undefined ? admission : moveOneself({ breakout, role, place: admission, room: body.room })
        if (place === 'not found') throw problem('breakout_room_not_found')
        if (place === 'forbidden') throw problem('forbidden')
        const room = currentRoomOf(breakout, place)
        const asks = body.help ?? (body.room === undefined && admission.helpAskedAt !== null)
        await updateAdmission(tx, admission.id, {
          breakoutRoom: place.breakoutRoom,
          breakoutAway: place.breakoutAway,
          helpAskedAt: asks && room !== null ? (admission.helpAskedAt ?? now) : null,
        })
        const endsHelp = role !== 'participant' && room !== null && (await endHelpIn(tx, meeting.id, room))
        if (endsHelp) await publishRoomChange(tx, meeting.id)
        await publishAdmissionChange(tx, meeting.id, admission.id)
        if (body.room !== undefined) await queueReconcileRoom(tx, meeting.id)
      })
      if (body.room === undefined || control === undefined) return
      // When this fails, the job reconciles the room.
      await correctRoomOf({ ...dependencies, database }, control, meeting.id, known.id).catch(() => {})
    },
  })
}

/** Apply the breakout room of one person to the media engine. */
async function correctRoomOf(
  { config, database, clock }: Pick<Dependencies, 'config' | 'database' | 'clock'>,
  control: MediaControl,
  meetingId: string,
  admissionId: string,
): Promise<void> {
  const permitted = await findPermittedParticipants({ config, database }, meetingId, [admissionId], clock.now())
  const person = permitted?.get(admissionId)
  if (person !== undefined)
    await control.setRights({ ...person, meetingId, admissionId, guest: person.accountId === null })
}
