import { listConflicts } from '@parley/contract'
import { findFreeSlots, type Interval } from '@parley/rules/meetings/free-slots'
import { maxMeetingMs } from '@parley/rules/meetings/meeting-times'
import { momentIn } from '@parley/rules/recurrence/wall-time-text'
import { violationAt } from '@parley/rules/text/violation'
import { Type } from 'typebox'
import { invalidRequest } from '../platform/http/problem.ts'
import { defineTool, type ToolContext, toolInput } from './tool.ts'
import { acceptWallTime, moment, momentsOf, requireZone, wallTime, writeTimes, zoneName } from './tool-fields.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** The longest interval of `listConflicts`. */
const maxSearchedDays = 31

/** A person does not choose from a longer list. */
const maxSlots = 50

/**
 * The replies of `listConflicts` for one search, fifty dates each: of a month, 25 dates a day. A search costs as much as
 * so many requests of the API.
 */
const maxReplies = 16

/** A day may last 25 hours. */
const timeOfDayPattern = '^(([01]\\d|2[0-3]):[0-5]\\d|24:00)$'

const timeOfDay = (description: string) =>
  Type.String({ pattern: timeOfDayPattern, maxLength: 5, description, examples: ['09:00'] })

export const findTime = defineTool({
  name: 'find_time',
  title: 'Find free time',
  description:
    'Free time in the person’s own calendar of this service between two times: what they host, or are invited to and have not declined, counts as busy. It knows nothing of the calendars of other people.',
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: toolInput({
    from: wallTime('Start of the search'),
    to: wallTime(`End of the search, at most ${maxSearchedDays} days later`),
    durationMinutes: Type.Optional(
      Type.Integer({
        minimum: 5,
        maximum: maxMeetingMs / minuteMs,
        default: 30,
        description: 'How long a free slot has to be at least',
      }),
    ),
    notBefore: Type.Optional(timeOfDay('Only time after this on each day, such as the start of the working day')),
    notAfter: Type.Optional(timeOfDay('Only time before this on each day')),
    timeZone: Type.Optional(zoneName('IANA zone of the times; that of the person’s profile when absent')),
  }),
  output: Type.Object({
    timeZone: Type.String({ description: 'The zone of all times here' }),
    slots: Type.Array(Type.Object({ start: moment(), end: moment() }), {
      maxItems: maxSlots,
      description: 'Free time, each as long as possible within one day; in order',
    }),
    moreAvailable: Type.Boolean({ description: `Whether there are more than ${maxSlots}: search a shorter time` }),
  }),
  uses: () => [listConflicts],
  async run(context, { durationMinutes = 30, notBefore = '00:00', notAfter = '24:00', ...input }) {
    const timeZone = requireZone(context, input.timeZone)
    const [startsAt, endsAt] = [
      acceptWallTime('/from', input.from, timeZone),
      acceptWallTime('/to', input.to, timeZone),
    ]
    if (endsAt <= startsAt) throw refusal('/to', 'not_after_start', 'must be after from')
    if (endsAt.getTime() - startsAt.getTime() > maxSearchedDays * dayMs) {
      throw refusal('/to', 'too_long', `must be at most ${maxSearchedDays} days after from`)
    }
    if (notAfter <= notBefore) throw refusal('/notAfter', 'not_after_start', 'must be later than notBefore')

    const found = findFreeSlots(await findBusy(context, { startsAt, endsAt }, timeZone), {
      startsAt,
      endsAt,
      minDurationMs: durationMinutes * minuteMs,
      dayStartMs: sinceMidnight(notBefore),
      dayEndMs: sinceMidnight(notAfter),
      timeZone,
    })
    const slots = found.slice(0, maxSlots)
    const [first] = slots
    return {
      kind: 'done',
      sentence:
        first === undefined
          ? `There is no free time of ${durationMinutes} minutes between ${describe(startsAt, timeZone)} and ${describe(endsAt, timeZone)} (${timeZone}).`
          : `${found.length === 1 ? 'One slot is' : `${found.length} slots are`} free, the first on ${writeTimes(timesOf(first), timeZone)}.`,
      result: {
        timeZone,
        slots: slots.map((slot) => momentsOf(timesOf(slot), timeZone)),
        moreAvailable: found.length > maxSlots,
      },
    }
  },
})

/**
 * Find the busy time of an interval. Each reply has the first dates by start; continue at the latest end so far,
 * because all before it is taken or known to be free.
 *
 * @throws invalid_request for a calendar that is too full
 */
async function findBusy(context: ToolContext, { startsAt, endsAt }: Interval, timeZone: string): Promise<Interval[]> {
  const busy: Interval[] = []
  let from = startsAt
  for (let replies = 0; replies < maxReplies; replies++) {
    const query = { start: from.toISOString(), end: endsAt.toISOString() }
    const { conflicts, moreAvailable } = await context.call(listConflicts, { query })
    const found = conflicts.map(({ startTime, endTime }) => ({
      startsAt: new Date(startTime),
      endsAt: new Date(endTime),
    }))
    busy.push(...found)
    const until = new Date(Math.max(from.getTime(), ...found.map((date) => date.endsAt.getTime())))
    if (!moreAvailable || until >= endsAt) return busy
    if (until <= from) break
    from = until
  }
  const message = `must be ${momentIn(timeZone, from).local} at most, because there are too many dates to look at all at once; search from there on afterwards`
  throw refusal('/to', 'too_many_dates', message)
}

function sinceMidnight(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * hourMs + minutes * minuteMs
}

const timesOf = ({ startsAt, endsAt }: Interval) => ({
  startTime: startsAt.toISOString(),
  endTime: endsAt.toISOString(),
})

const describe = (instant: Date, timeZone: string) => momentIn(timeZone, instant).local.replace('T', ' ')

const refusal = (path: string, code: string, message: string) => invalidRequest([violationAt(path, { code, message })])
