import { Type } from 'typebox'
import type { Executor } from '../platform/database/database.ts'
import { defineJob } from '../platform/jobs/define-job.ts'

/** Disconnects from a room the participants who may not be in it any more; the module `rooms` handles it. */
export const reconcileRoomJob = defineJob(
  'settle-room',
  Type.Object({ meetingId: Type.String(), changed: Type.Boolean() }),
)

/**
 * Queues it in the transaction of a change: it is done once the change is kept, and again until it has succeeded. `changed`:
 * it is the meeting itself that has changed, and whoever watches its room is to look again.
 */
export const queueReconcileRoom = (executor: Executor, meetingId: string, { changed = false } = {}) =>
  reconcileRoomJob.queue(
    executor,
    { meetingId, changed },
    { key: `${reconcileRoomJob.name} ${changed ? 'changed ' : ''}${meetingId}` },
  )
