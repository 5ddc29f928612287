import { type Static, Type } from 'typebox'
import type { Executor } from '../platform/database/database.ts'
import { defineJob } from '../platform/jobs/define-job.ts'

/** The person who asked to end a call, for its audit entry and its event. */
const endedCall = Type.Object({
  /** RFC 3339. A call that began later continues: the job may run again after the cancellation was undone. */
  at: Type.String(),
  actorId: Type.String(),
  actingGrantId: Type.Union([Type.String(), Type.Null()]),
  address: Type.String(),
})
export type EndedCall = Static<typeof endedCall>

/**
 * Disconnects participants who may no longer be inside a room, and ends the call of a cancelled date where its host
 * wants that; the module `rooms` handles it.
 */
export const reconcileRoomJob = defineJob(
  'reconcile-room',
  Type.Object({
    meetingId: Type.String(),
    changed: Type.Boolean(),
    endedCall: Type.Optional(endedCall),
  }),
)

/**
 * Queue the job in the transaction of a change. The job runs after the commit and is retried until it succeeds.
 * `changed`: the meeting itself has changed, so that subscribers of its room are notified.
 */
export const queueReconcileRoom = (executor: Executor, meetingId: string, { changed = false } = {}) =>
  reconcileRoomJob.queue(
    executor,
    { meetingId, changed },
    { key: `${reconcileRoomJob.name} ${changed ? 'changed ' : ''}${meetingId}` },
  )

/** The job's clock is that of the database, which may be ahead of that of the service. */
const clockToleranceMs = 200

/** Queue the job for a time, in place of an earlier one for another time: what holds in the room changes then by itself. */
export const queueReconcileRoomAfter = (executor: Executor, meetingId: string, delayMs: number) =>
  reconcileRoomJob.queue(
    executor,
    { meetingId, changed: true },
    { key: `${reconcileRoomJob.name} timed ${meetingId}`, delayMs: delayMs + clockToleranceMs },
  )

/** Queue the end of the call that is in progress, in the transaction that cancels its date. */
export const queueEndCall = (executor: Executor, meetingId: string, ended: EndedCall) =>
  reconcileRoomJob.queue(
    executor,
    { meetingId, changed: true, endedCall: ended },
    { key: `${reconcileRoomJob.name} ended ${meetingId}` },
  )
