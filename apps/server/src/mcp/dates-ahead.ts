import { type BodyOf, previewMeeting, type ReplyOf } from '@parley/contract'
import { findTimeOfDayChanges } from '@parley/rules/recurrence/clock-changes'
import { wallClockIn } from '@parley/rules/recurrence/wall-clock'
import { momentIn, writeDate, writeTimeOfDay } from '@parley/rules/recurrence/wall-time'
import type { ToolContext } from './tool.ts'

/** As many as one preview computes: two years of a weekly meeting. */
const maxPreviewed = 100

/** How many dates a person is shown before they decide. */
export const maxShownDates = 10

/** Twice a year: three years. */
const maxChangesInNote = 6

type Dates = Pick<BodyOf<typeof previewMeeting>, 'startTime' | 'endTime' | 'repeatOptions' | 'meetingId'>
export type Preview = ReplyOf<typeof previewMeeting>

/** Compute the dates of a meeting that is to be scheduled or changed. */
export const previewDates = (context: ToolContext, dates: Dates): Promise<Preview> =>
  context.call(previewMeeting, { body: { ...dates, limit: maxPreviewed } })

/**
 * What a person has to know of the dates: clock changes in the zone of the meeting and in those of participants, times
 * that a clock change skips or repeats, and dates that are not where they were expected.
 */
export function notesOn(
  preview: Preview,
  { startTime, timeZone, otherTimeZones }: { startTime: string; timeZone: string; otherTimeZones: readonly string[] },
): string[] {
  const starts = preview.occurrences.map((occurrence) => new Date(occurrence.startTime))
  const [first] = starts
  const planned = momentIn(timeZone, new Date(startTime))
  const plannedTime = planned.local.slice('YYYY-MM-DDT'.length)
  const late = first !== undefined && first > new Date(startTime)
  return [
    ...preview.warnings.map((warning) => warnings[warning]),
    ...(late
      ? [
          `It first takes place on ${dateIn(timeZone, first)}: ${dateIn(timeZone, new Date(startTime))} is not one of the chosen days.`,
        ]
      : []),
    ...preview.shifts.map(
      ({ startTime: from, before, after }) =>
        `From ${dateIn(timeZone, new Date(from))} on, the clock in ${timeZone} is at ${after} instead of ${before}: the meeting stays at ${plannedTime} there.`,
    ),
    ...starts.flatMap((start) => noteOnTime(start, timeZone, plannedTime)),
    ...otherTimeZones.flatMap((zone) => noteOnZone(starts, zone)),
  ]
}

const warnings: Record<Preview['warnings'][number], string> = {
  starts_in_past: 'It begins in the past.',
  over: 'All of its dates are over, so that no one is mailed.',
}

/** A time that the clock skips on one date, or shows twice. */
function noteOnTime(start: Date, timeZone: string, plannedTime: string): string[] {
  const clock = wallClockIn(timeZone)
  const wallMs = clock.read(start.getTime())
  const time = writeTimeOfDay(wallMs)
  if (time !== plannedTime) {
    return [`On ${writeDate(wallMs)} the clock in ${timeZone} skips ${plannedTime}: that date starts at ${time}.`]
  }
  const [earlier, later] = clock.instantsOf(wallMs)
  if (later === undefined || earlier === undefined) return []
  const which = start.getTime() === earlier ? 'first' : 'second'
  return [`On ${writeDate(wallMs)} the clock in ${timeZone} shows ${time} twice: that date starts at the ${which}.`]
}

function noteOnZone(starts: readonly Date[], timeZone: string): string[] {
  const [first] = starts
  if (first === undefined) return []
  const { local } = momentIn(timeZone, first)
  const changes = findTimeOfDayChanges(starts, timeZone)
  const shown = changes
    .slice(0, maxChangesInNote)
    .map(({ startsAt, after }) => `, from ${dateIn(timeZone, startsAt)} on at ${after}`)
  const more = changes.length > maxChangesInNote ? ', and so on' : ''
  return [
    `In ${timeZone} it starts at ${local.slice('YYYY-MM-DDT'.length)} on ${dateIn(timeZone, first)}${shown.join('')}${more}.`,
  ]
}

const dateIn = (timeZone: string, instant: Date) => writeDate(wallClockIn(timeZone).read(instant.getTime()))
