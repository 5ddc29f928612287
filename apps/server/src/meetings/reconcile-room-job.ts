import type { Executor } from '../platform/database/database.ts'
import { jobQueue } from '../platform/jobs/jobs.ts'

/** The task that puts out of a room whoever may not be inside any more; `rooms` does it, this room only names it. */
export const reconcileRoomTask = 'settle-room'

/**
 * Queues it in the transaction of a change: it is done once the change is kept, and again until it has succeeded. `changed`:
 * it is the meeting itself that has changed, and whoever watches its room is to look again.
 */
export const queueReconcileRoom = (executor: Executor, meetingId: string, { changed = false } = {}) =>
  jobQueue.add(executor, {
    task: reconcileRoomTask,
    payload: { meetingId, changed },
    key: `${reconcileRoomTask} ${changed ? 'changed ' : ''}${meetingId}`,
  })
