import type { Executor } from '../platform/database.ts'
import { jobQueue } from '../platform/jobs.ts'

/** The task that puts an account out of every room that it is in; `rooms` does it, this room only names it. */
export const leaveRoomsTask = 'leave-rooms'

export const queueLeaveRooms = (executor: Executor, accountId: string) =>
  jobQueue.add(executor, { task: leaveRoomsTask, payload: { accountId } })
