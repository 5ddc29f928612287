import { nextDigestTime } from '@parley/rules/invitations/digest-time'
import { readTimeZone } from '@parley/rules/recurrence/time-zone'
import { Type } from 'typebox'
import type { WithDatabase } from '../../access/service.ts'
import { queueMail } from '../../email/mail-job.ts'
import { inTransaction, type Tx } from '../../platform/database/database.ts'
import { defineJob } from '../../platform/jobs/define-job.ts'
import { guestToken } from '../guest-token.ts'
import { composeDigest } from './compose-digest.ts'
import { digestStopLink } from './digest-link.ts'
import {
  claimDueDigests,
  type DueDigest,
  deleteDigest,
  findDigestsToPlan,
  listNewAnswers,
  moveDigest,
  planDigest,
} from './digest-store.ts'

export const sendDigestsJob = defineJob('send-answer-digests', Type.Unknown())

/** What was recorded in a transaction that is not yet committed is in the next digest. */
const commitMs = 60_000

type Dependencies = Pick<WithDatabase, 'database' | 'clock' | 'config' | 'encryption'>

/**
 * Queue the digests that are due, and move each on to the next day in the same transaction: exactly once, whichever
 * process dies and however many run this. One that was missed while no instance ran is sent late, with all that came
 * since.
 */
export function createDigestTask(dependencies: Dependencies) {
  return sendDigestsJob.handle(async () => {
    for (const step of [planSome, sendSome]) {
      let handled: number
      do handled = await inTransaction(dependencies.database, (tx) => step(tx, dependencies))
      while (handled > 0)
    }
  })
}

async function planSome(tx: Tx, { clock, config }: Dependencies): Promise<number> {
  const now = clock.now()
  const planned = await findDigestsToPlan(tx)
  for (const { accountId, timeZone } of planned) {
    await planDigest(tx, { accountId, timeZone, dueAt: nextDigest(config, timeZone, now) }, now)
  }
  return planned.length
}

async function sendSome(tx: Tx, dependencies: Dependencies): Promise<number> {
  const now = dependencies.clock.now()
  const due = await claimDueDigests(tx, now)
  for (const digest of due) {
    const { accountId, timeZone, reportedUntil } = digest
    if (!digest.isOn) {
      await deleteDigest(tx, accountId)
      continue
    }
    const until = new Date(Math.max(now.getTime() - commitMs, reportedUntil.getTime()))
    await sendDigest(tx, dependencies, digest, until)
    await moveDigest(tx, accountId, nextDigest(dependencies.config, timeZone, now), until)
  }
  return due.length
}

async function sendDigest(tx: Tx, { config, encryption }: Dependencies, host: DueDigest, until: Date): Promise<void> {
  const { accountId, addressKey, reportedUntil } = host
  const answers = await listNewAnswers(tx, accountId, reportedUntil, until)
  if (answers.length === 0) return
  const { baseUrl } = config
  const token = guestToken(encryption, 'answer digest link', { subjectId: accountId, addressKey })
  const stopLink = digestStopLink(baseUrl, accountId, token)
  await queueMail(tx, encryption, composeDigest({ host, answers, baseUrl, stopLink }))
}

/** Seven o'clock in the time zone of the profile, or in UTC where it has none. */
function nextDigest({ timeZoneAliases }: Dependencies['config'], timeZone: string, now: Date): Date {
  const reading = timeZone === '' ? undefined : readTimeZone(timeZone, timeZoneAliases)
  return nextDigestTime(reading?.kind === 'known' ? reading.timeZone : 'UTC', now)
}
