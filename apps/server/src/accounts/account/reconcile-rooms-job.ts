import type { Executor } from '../../platform/database/database.ts'
import { jobQueue } from '../../platform/jobs/jobs.ts'

/** The task that settles every room that an account is in, and its own; `rooms` does it, this room only names it. */
export const reconcileRoomsOfAccountTask = 'leave-rooms'

export const queueLeaveRooms = (executor: Executor, accountId: string) =>
  jobQueue.add(executor, { task: reconcileRoomsOfAccountTask, payload: { accountId } })
