import { seriesOf } from '@parley/rules/meetings/read-meeting-request'
import { findStartingDates, isCallOfDate } from '@parley/rules/rooms/starting'
import { Type } from 'typebox'
import { notifyOfStarts } from '../event-log/notification-store.ts'
import { readExceptions } from '../meetings/exception-store.ts'
import { inTransaction, type Tx } from '../platform/database/database.ts'
import { defineJob } from '../platform/jobs/define-job.ts'
import type { Tasks } from '../platform/jobs/jobs.ts'
import type { ReceivedDependencies } from './dependencies.ts'
import { lockRoomRow } from './room-store.ts'
import {
  type CheckedMeeting,
  findDateOfCall,
  finishStartChecks,
  listAttendees,
  listCheckedMeetings,
  lockStartChecks,
  maxChecked,
} from './starting-store.ts'

export const startChecksJob = defineJob('notify-of-starts', Type.Unknown())

/** Queued when the first person is in a call. */
export const callStartJob = defineJob('notify-of-call', Type.Object({ admissionId: Type.String() }))

/**
 * Create the job that notifies the host and guests of a date, who have not declined and are not inside, that its call has
 * begun: once, however often people leave and come back. A room that is tried out before, or visited after its end,
 * notifies no one.
 */
export const createCallStartJobs = ({ database, clock }: Pick<ReceivedDependencies, 'database' | 'clock'>): Tasks =>
  callStartJob.handle(({ admissionId }) =>
    inTransaction(database, async (tx) => {
      const date = await findDateOfCall(tx, admissionId)
      const now = clock.now()
      if (date === undefined || !isCallOfDate(date, now)) return
      const { recurring, originalStart, endsAt: _, ...start } = date
      await lockRoomRow(tx, start.meetingId)
      const attendees = await listAttendees(tx, [{ meetingId: start.meetingId, originalStart }])
      const starts = attendees.map(({ accountId, byAddress }) => ({
        ...start,
        accountId,
        byAddress,
        originalStart: recurring ? originalStart : null,
      }))
      await notifyOfStarts(tx, 'started', starts, now)
    }),
  )

/**
 * Create the job that notifies hosts and guests of dates that start in five minutes. Each minute it reads only meetings
 * with such a date, and those that have changed.
 */
export const createStartJobs = ({ database, clock }: Pick<ReceivedDependencies, 'database' | 'clock'>): Tasks =>
  startChecksJob.handle(async () => {
    let checked: number
    do checked = await inTransaction(database, (tx) => checkBatch(tx, clock.now()))
    while (checked === maxChecked)
  })

/** @returns how many meetings were checked; fewer than a batch holds if no further ones are due */
async function checkBatch(tx: Tx, now: Date): Promise<number> {
  const ids = await lockStartChecks(tx, now)
  if (ids.length === 0) return 0
  const meetings = await listCheckedMeetings(tx, ids, now)
  const checks = meetings.map((meeting) => ({ meeting, ...findStarting(meeting, now) }))
  const dates = checks.flatMap(({ meeting, starting }) => starting.map((date) => ({ meeting, date })))
  const attendees = await listAttendees(
    tx,
    dates.map(({ meeting: { id: meetingId }, date: { originalStart } }) => ({ meetingId, originalStart })),
  )
  const starts = attendees.flatMap(({ index, ...attendee }) => {
    const found = dates[index]
    if (found === undefined) return []
    const { meeting, date } = found
    return {
      ...attendee,
      meetingId: meeting.id,
      subject: date.change?.topic ?? meeting.topic,
      startsAt: date.startsAt,
      originalStart: meeting.rule.repeat === 'none' ? null : date.originalStart,
    }
  })
  await notifyOfStarts(tx, 'starting', starts, now)
  await finishStartChecks(
    tx,
    checks.map(({ meeting: { id }, checkAt }) => ({ id, checkAt })),
  )
  return ids.length
}

/** A cancelled meeting keeps dates that had begun, and none that is ahead. */
const findStarting = ({ exceptions, cancelledAt, ...meeting }: CheckedMeeting, now: Date) =>
  cancelledAt === null
    ? findStartingDates(seriesOf(meeting, readExceptions(exceptions)), now)
    : { starting: [], checkAt: null }
