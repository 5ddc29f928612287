import type { Logger } from 'pino'
import { Type } from 'typebox'
import type { Executor } from '../platform/database/database.ts'
import { defineJob } from '../platform/jobs/define-job.ts'
import { eraseAccount, hasPendingEmails, leaveMeetings } from './erase-account.ts'
import type { ErasureDependencies } from './hand-over-meeting.ts'

/** The job that continues every unfinished deletion: queued with each deletion, and once an hour. */
export const eraseAccountsJob = defineJob('erase-accounts', Type.Object({}))

/** Emails that rate limits hold back leave within a day; emails that still wait after two days are dropped. */
export const erasureLimitMs = 48 * 60 * 60 * 1000

export const queueErasure = (executor: Executor) => eraseAccountsJob.queue(executor, {}, { key: eraseAccountsJob.name })

/** Resumable after any failure: each step skips what is done already. */
export function createEraseAccountsTask(dependencies: ErasureDependencies & { log: Logger }) {
  const { database, clock, log } = dependencies
  return eraseAccountsJob.handle(async () => {
    const closed = await database
      .selectFrom('account')
      .select(['id', 'deletedAt', 'handsOverMeetings'])
      .where('deletedAt', 'is not', null)
      .where('erasedAt', 'is', null)
      .orderBy('deletedAt')
      .execute()
    for (const { id, deletedAt, handsOverMeetings } of closed) {
      await leaveMeetings(dependencies, { accountId: id, handsOver: handsOverMeetings })
      const isLate = clock.now().getTime() - (deletedAt?.getTime() ?? 0) >= erasureLimitMs
      if (!isLate && (await hasPendingEmails(database, id))) continue
      await eraseAccount(dependencies, id)
      log.info({ accountId: id }, 'erased a deleted account')
    }
  })
}
