import type { Logger } from 'pino'
import { Type } from 'typebox'
import type { Executor } from '../platform/database/database.ts'
import { defineJob } from '../platform/jobs/define-job.ts'
import { eraseAccount, hasMailsToSend, leaveMeetings } from './erase-account.ts'
import type { ErasureDependencies } from './hand-over-meeting.ts'

/** The task that goes on with every deletion that is not done: queued with each, and once an hour. */
export const eraseAccountsJob = defineJob('erase-accounts', Type.Object({}))

/** Mails that the limits of an address hold back leave within a day; whatever waits after two is given up. */
export const erasureLimitMs = 48 * 60 * 60 * 1000

export const queueErasure = (executor: Executor) => eraseAccountsJob.queue(executor, {}, { key: eraseAccountsJob.name })

/** Run again after any failure: each step leaves what is done, and looks for what is left. */
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
      if (!isLate && (await hasMailsToSend(database, id))) continue
      await eraseAccount(dependencies, id)
      log.info({ accountId: id }, 'a deleted account is erased')
    }
  })
}
