import type { MeetingReply, MeetingRequest } from '@parley/contract'
import { dayMs } from '@parley/rules/recurrence/calendar-day'
import { wallClockIn } from '@parley/rules/recurrence/wall-clock'
import { momentIn } from '@parley/rules/recurrence/wall-time'
import { violationAt } from '@parley/rules/text/violation'
import { type Static, Type } from 'typebox'
import { invalidRequest } from '../platform/http/problem.ts'

/** Sunday first, as in `daysOfWeek` of the API. */
const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const
const weeks = ['first', 'second', 'third', 'fourth', 'last'] as const
const repeats = ['none', 'daily', 'weekly', 'monthly'] as const

/** `repeatOptions` of the API with words in place of flags, and days in place of instants. */
export const repeatOptions = Type.Object(
  {
    repeat: Type.Unsafe<(typeof repeats)[number]>({ type: 'string', enum: repeats, description: 'How it repeats' }),
    interval: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 99, default: 1, description: 'Every how many days, weeks or months' }),
    ),
    daysOfWeek: Type.Optional(
      Type.Array(Type.Unsafe<(typeof weekdays)[number]>({ type: 'string', enum: weekdays }), {
        maxItems: 7,
        description: '`weekly`, or with weeksInMonth: on which days',
        examples: [['monday', 'thursday']],
      }),
    ),
    dateInMonth: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 31, description: '`monthly`: on which day; months without it are skipped' }),
    ),
    lastDayOfMonth: Type.Optional(Type.Boolean({ description: '`monthly`: on the last day' })),
    weeksInMonth: Type.Optional(
      Type.Array(Type.Unsafe<(typeof weeks)[number]>({ type: 'string', enum: weeks }), {
        maxItems: 5,
        description: '`monthly`: on daysOfWeek of these weeks',
        examples: [['last']],
      }),
    ),
    endDate: Type.Optional(
      Type.String({ maxLength: 10, description: 'The last day on which it may take place', examples: ['2027-12-31'] }),
    ),
    count: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1000, description: 'Instead of endDate: after how many dates it ends' }),
    ),
  },
  {
    additionalProperties: false,
    description: 'When it repeats, and until when. Neither endDate nor count: without end',
  },
)
type RepeatInput = Static<typeof repeatOptions>

type ApiRepeatOptions = MeetingRequest['repeatOptions']

const flags = <Word>(words: readonly Word[], chosen: readonly Word[]) =>
  words.map((word) => (chosen.includes(word) ? 1 : 0))
const chosen = <Word>(words: readonly Word[], set: readonly number[]) => words.filter((_, at) => set[at] === 1)

/** @throws invalid_request for an `endDate` that is no date */
export function toApiRepeatOptions(input: RepeatInput, timeZone: string): ApiRepeatOptions {
  const { repeat, interval, daysOfWeek, dateInMonth, lastDayOfMonth, weeksInMonth, endDate, count } = input
  return {
    repeat,
    timeZone,
    ...(interval !== undefined && { interval }),
    ...(daysOfWeek !== undefined && { daysOfWeek: flags(weekdays, daysOfWeek) }),
    ...(dateInMonth !== undefined && { dateInMonth }),
    ...(lastDayOfMonth !== undefined && { lastDayOfMonth }),
    ...(weeksInMonth !== undefined && { weeksInMonth: flags(weeks, weeksInMonth) }),
    ...(endDate !== undefined && { endDate: endOfDay(endDate, timeZone).toISOString() }),
    ...(count !== undefined && { count }),
  }
}

/** The rule of a meeting as an update takes it: what was read can be sent back. */
export const sendBackRepeatOptions = (options: MeetingReply['repeatOptions']): ApiRepeatOptions => ({
  ...options,
  repeat: repeatOf(options),
})

const repeatOf = (options: MeetingReply['repeatOptions']) =>
  repeats.find((repeat) => repeat === options.repeat) ?? 'none'

/** The last second of a day in a zone. */
function endOfDay(date: string, timeZone: string): Date {
  const wallMs = Date.parse(`${date}T00:00:00Z`)
  if (!/^\d{4}-\d\d-\d\d$/.test(date) || Number.isNaN(wallMs) || new Date(wallMs).toISOString().slice(0, 10) !== date) {
    const message = 'must be a date, such as 2027-12-31'
    throw invalidRequest([violationAt('/repeatOptions/endDate', { code: 'bad_format', message })])
  }
  return new Date(wallClockIn(timeZone).instantOf(wallMs + dayMs) - 1000)
}

/** What the API says of a rule, in the words of the arguments. */
export function fromApiRepeatOptions(options: MeetingReply['repeatOptions']): RepeatInput {
  const { interval, daysOfWeek, dateInMonth, lastDayOfMonth, weeksInMonth, endDate, count, timeZoneIana } = options
  const days = chosen(weekdays, daysOfWeek)
  const inWeeks = chosen(weeks, weeksInMonth)
  return {
    repeat: repeatOf(options),
    ...(interval !== null && { interval }),
    ...(days.length > 0 && { daysOfWeek: days }),
    ...(dateInMonth > 0 && { dateInMonth }),
    ...(lastDayOfMonth && { lastDayOfMonth }),
    ...(inWeeks.length > 0 && { weeksInMonth: inWeeks }),
    ...(count !== null
      ? { count }
      : endDate !== null && { endDate: momentIn(timeZoneIana, new Date(endDate)).local.slice(0, 10) }),
  }
}
