import { Type } from 'typebox'
import type { Executor } from '../../platform/database/database.ts'
import { defineJob } from '../../platform/jobs/define-job.ts'

/** The job that reconciles every room that an account is in, and its own; the rooms module handles it. */
export const reconcileRoomsOfAccountJob = defineJob(
  'reconcile-rooms-of-account',
  Type.Object({ accountId: Type.String() }),
)

export const queueReconcileRoomsOfAccount = (executor: Executor, accountId: string) =>
  reconcileRoomsOfAccountJob.queue(executor, { accountId })
