import { Type } from 'typebox'
import type { Executor } from '../platform/database/database.ts'
import { defineJob } from '../platform/jobs/define-job.ts'

/**
 * Disconnects participants who may no longer be inside a room; the module `rooms` handles it. `changed` is absent in
 * jobs of an earlier release.
 */
export const reconcileRoomJob = defineJob(
  'settle-room',
  Type.Object({ meetingId: Type.String(), changed: Type.Optional(Type.Boolean()) }),
)

/**
 * Queue the job in the transaction of a change. It runs after the commit and is retried until it succeeds. `changed`:
 * the meeting itself has changed, so that subscribers of its room are notified.
 */
export const queueReconcileRoom = (executor: Executor, meetingId: string, { changed = false } = {}) =>
  reconcileRoomJob.queue(
    executor,
    { meetingId, changed },
    { key: `${reconcileRoomJob.name} ${changed ? 'changed ' : ''}${meetingId}` },
  )
