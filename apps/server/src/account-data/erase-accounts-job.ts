import type { Logger } from 'pino'
import { Type } from 'typebox'
import type { Executor } from '../platform/database/database.ts'
import { defineJob } from '../platform/jobs/define-job.ts'
import { eraseAccount, hasPendingEmails, leaveMeetings } from './erase-account.ts'
import { type ErasureDependencies, handOverMs } from './hand-over-meeting.ts'
import { hasOpenOffers } from './hand-over-store.ts'

/** The job that continues every unfinished deletion: queued with each deletion, and once an hour. */
export const eraseAccountsJob = defineJob('erase-accounts', Type.Object({}))

/**
 * Emails that rate limits hold back leave within a day; emails that still wait after two days are dropped. The two days
 * begin when the meetings are cancelled, at the latest when the offers to cohosts end.
 */
export const erasureLimitMs = 48 * 60 * 60 * 1000

export const queueErasure = (executor: Executor) => eraseAccountsJob.queue(executor, {}, { key: eraseAccountsJob.name })

/** Resumable after any failure: each step skips what is done already. */
export function createEraseAccountsTask(dependencies: ErasureDependencies & { log: Logger }) {
  const { database, clock, log } = dependencies
  return eraseAccountsJob.handle(async () => {
    const closed = await database
      .selectFrom('account')
      .select(['id', 'name', 'lname', 'email', 'deletedAt', 'handsOverMeetings'])
      .where('deletedAt', 'is not', null)
      .where('erasedAt', 'is', null)
      .orderBy('deletedAt')
      .execute()
    for (const { deletedAt, handsOverMeetings: handsOver, ...account } of closed) {
      const { id } = account
      const closedAt = deletedAt ?? new Date(0)
      await leaveMeetings(dependencies, { ...account, deletedAt: closedAt, handsOver })
      const now = clock.now()
      if (await hasOpenOffers(database, id, now)) continue
      const isLate = now.getTime() - closedAt.getTime() >= erasureLimitMs + (handsOver ? handOverMs : 0)
      if (!isLate && (await hasPendingEmails(database, id))) continue
      await eraseAccount(dependencies, id)
      log.info({ accountId: id }, 'erased a deleted account')
    }
  })
}
