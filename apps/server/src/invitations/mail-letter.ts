import { setTimeout as sleep } from 'node:timers/promises'
import { occurrenceAt } from '@parley/rules/recurrence'
import type { Logger } from 'pino'
import type { Service } from '../access/service.ts'
import { isRefusedForGood, type Mailer } from '../mail/mail.ts'
import { openNotice } from '../meetings/meeting-notice.ts'
import { seriesOf } from '../meetings/meeting-row.ts'
import { findAnyMeeting, findSkipped } from '../meetings/meeting-store.ts'
import type { Task } from '../platform/jobs.ts'
import { letterMail } from './letter-mail.ts'
import {
  dropLetter,
  findLetter,
  type LetterName,
  type LetterRow,
  markFailed,
  markReached,
  markSent,
} from './letter-store.ts'

/** A mail server that is away for longer than this is not waited for (notifications.md 1). */
const patienceMs = 24 * 60 * 60 * 1000

type Means = Pick<Service, 'database' | 'clock' | 'sealedBox' | 'config'> & { mailer: Mailer; log: Logger }

/**
 * Mails one letter, once: what has been sent is not sent again, whoever runs the job. Only a process that dies between
 * the server's taking it and our noting that sends it twice, under the same Message-ID. An address that the server refuses
 * for good is given up at once, everything else after a day; the host then sees the address with the meeting.
 */
export function createMailLetterTask(means: Means): Task {
  const { database, clock, config, mailer, log } = means
  const everyAddressConfirmed = config.emailVerification === 'off'
  return async (payload) => {
    // Only `noticeClauses` writes these.
    const name = payload as LetterName
    const letter = await findLetter(database, name, everyAddressConfirmed)
    if (letter === undefined || letter.failedAt !== null) return
    // Sent by a try that could not say so with the meeting.
    if (letter.sentAt !== null) return markReached(database, letter)
    if (letter.kind === 'reminder' && !(await isStillAhead(means, letter))) {
      await dropLetter(database, name)
      return
    }
    try {
      await mailer.deliver(letterMail(means, letter))
    } catch (error) {
      const now = clock.now()
      const isLate = now.getTime() - letter.createdAt.getTime() >= patienceMs
      if (!isLate && !isRefusedForGood(error)) throw error
      const { meetingId, noticeId, kind } = letter
      log.warn({ meetingId, noticeId, kind, err: error }, 'a letter about a meeting is given up')
      await markFailed(database, name, now)
      return
    }
    await persistently(() => markSent(database, name, clock.now()))
    await markReached(database, letter)
  }
}

/** A database that is started again is back within seconds; a letter whose sending is not noted is sent twice. */
const pausesMs = [50, 200, 1_000, 2_000, 4_000, 8_000]

async function persistently(note: () => Promise<void>): Promise<void> {
  for (const pauseMs of pausesMs) {
    try {
      return await note()
    } catch {
      await sleep(pauseMs)
    }
  }
  return note()
}

/** A meeting that has been moved, cancelled or begun since is not reminded of. */
async function isStillAhead(means: Means, letter: LetterRow): Promise<boolean> {
  const { date } = openNotice(means.sealedBox, letter.sealedContent)
  const meeting = await findAnyMeeting(means.database, letter.meetingId)
  if (date === null || meeting === undefined || meeting.cancelledAt !== null || date <= means.clock.now()) return false
  const occurrence = occurrenceAt(seriesOf(meeting, await findSkipped(means.database, meeting.id)), date)
  return occurrence !== undefined && !occurrence.excluded
}
