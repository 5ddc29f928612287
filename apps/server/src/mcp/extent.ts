import { listOccurrences, type OccurrenceReply, readMeeting, type SingleMeetingReply } from '@parley/contract'
import { readTimestampField } from '@parley/rules/text/timestamp'
import { violationAt } from '@parley/rules/text/violation'
import { Type } from 'typebox'
import { invalidRequest } from '../platform/http/problem.ts'
import { accept, writeTimes } from './time-fields.ts'
import type { ToolContext } from './tool.ts'

const extents = ['one', 'following', 'all'] as const
export type Extent = (typeof extents)[number]

/** How much of a series is meant: never guessed. */
export const extent = Type.Unsafe<Extent>({
  type: 'string',
  enum: extents,
  description:
    'How much of a series: `one` date, this date and the `following`, or `all`. Ask the person when they have not said it. A meeting with a single date: `all`',
})

export const originalStart = Type.Optional(
  Type.String({
    maxLength: 64,
    description: 'With `one` and `following`: `originalStart` of the date, from get_meeting',
    examples: ['2027-03-29T07:00:00.000Z'],
  }),
)

/** How many dates ahead are looked through for the one that is named, to describe it. */
const maxDatesAhead = 100

type Named = {
  meeting: SingleMeetingReply
  /** The whole of a meeting with one date is `all`. */
  extent: Extent
  /** The date that is named, else the next one; undefined where none is ahead. */
  date: OccurrenceReply | undefined
  /** The name of the date; undefined for `all`. */
  originalStart: string | undefined
}

/**
 * Find the meeting, and the date of it that the arguments name.
 * @throws meeting_not_found, invalid_request
 */
export async function findNamed(
  context: ToolContext,
  sent: { meetingId: string; occurrence: Extent; originalStart?: string },
): Promise<Named> {
  const [meeting] = await context.call(readMeeting, {
    params: { meetingId: sent.meetingId },
    query: { occurrences: maxDatesAhead },
  })
  if (meeting === undefined) throw new TypeError('The reply is an array of one meeting')
  const ahead = meeting.occurrences ?? []
  if (!meeting.recur || sent.occurrence === 'all') {
    return { meeting, extent: 'all', date: ahead[0], originalStart: undefined }
  }
  if (sent.originalStart === undefined) {
    const message = 'is missing: ask which date is meant, and take its originalStart from get_meeting'
    throw invalidRequest([violationAt('/originalStart', { code: 'required', message })])
  }
  const start = accept(readTimestampField('/originalStart', sent.originalStart)).toISOString()
  const date = ahead.find(({ originalStartTime }) => originalStartTime === start)
  return { meeting, extent: sent.occurrence, date, originalStart: start }
}

const minuteMs = 60_000

/** Whether the one date that is named is cancelled already: then it is not among those ahead. */
export async function isCancelledDate(
  context: ToolContext,
  { meeting, extent, date, originalStart }: Named,
): Promise<boolean> {
  if (extent !== 'one' || date !== undefined || originalStart === undefined) return false
  const to = new Date(Date.parse(originalStart) + minuteMs).toISOString()
  const query = { from: originalStart, to, status: 'all' as const }
  const { occurrences } = await context.call(listOccurrences, { params: { meetingId: meeting._id }, query })
  return occurrences.some(
    ({ originalStartTime, status }) => originalStartTime === originalStart && status === 'cancelled',
  )
}

/** `on Monday, 29 March 2027, 09:00–09:45 (Europe/Berlin, +02:00)`, and what else is meant. */
export function writeExtent({ meeting, extent, date, originalStart }: Named, timeZone: string): string {
  const when = date === undefined ? (originalStart ?? '') : writeTimes(date, timeZone)
  switch (extent) {
    case 'one':
      return `only on ${when}`
    case 'following':
      return `from ${when} on`
    case 'all':
      return meeting.recur ? 'with all of its dates' : `on ${writeTimes(meeting, timeZone)}`
  }
}
