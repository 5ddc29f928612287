import { Type } from 'typebox'
import { defineJob } from '../../platform/jobs/define-job.ts'

/** Queued with a revision of a client that no developer has registered. */
export const examineClientJob = defineJob(
  'examine-client',
  Type.Object({ appId: Type.String(), revision: Type.Integer() }),
)
