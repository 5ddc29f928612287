import { type MeetingText, type MeetingTexts, mapTexts, meetingTextNames } from '@parley/contract/meeting-fields'
import {
  lastOriginalStart,
  type Occurrence,
  type OccurrenceChange,
  occurrenceAt,
  occurrenceStarts,
  type Series,
} from '../recurrence/recurrence.ts'
import { combine, type Parsed, passed, readOptional, refuse } from '../text/parsed.ts'
import { readTimestampField } from '../text/timestamp.ts'
import { type Violation, violationAt } from '../text/violation.ts'
import { findTimesViolation } from './meeting-times.ts'
import { readChangedTexts } from './read-meeting-request.ts'

/** Every read and every mail of the whole series contains them. */
export const maxChangedOccurrences = 500
/**
 * Characters in the descriptions of all changed occurrences of one series: 500 each, or 25 of the greatest length. What
 * each guest was last sent is stored with them.
 */
export const maxChangedDescriptionsLength = 250_000

/** What an occurrence is to have of its own; undefined where it stays as it is. */
export type RequestedChange = {
  startsAt: Date | undefined
  endsAt: Date | undefined
} & Record<MeetingText, string | undefined>

/** The fields of a meeting that its occurrences share. */
const fieldsOfSeries = [
  'participants',
  'cohosts',
  'advancedOptions',
  'isPinEnabled',
  'repeatOptions',
  'reminderMinutes',
] as const
type FieldOfSeries = (typeof fieldsOfSeries)[number]

type SentChange = { [Field in FieldOfSeries]?: unknown } & {
  startTime?: string | undefined
  endTime?: string | undefined
} & { [Name in MeetingText]?: string | undefined }

/** Read the change of one occurrence. Fields of the series are refused, whatever their value. */
export function readOccurrenceChange(sent: SentChange): Parsed<RequestedChange> {
  const ofSeries = fieldsOfSeries.filter((field) => sent[field] !== undefined).map(notForOneOccurrence)
  const parsed = combine({
    startsAt: readOptional(sent.startTime, (text) => readTimestampField('/startTime', text)),
    endsAt: readOptional(sent.endTime, (text) => readTimestampField('/endTime', text)),
    texts: readChangedTexts(sent),
    ofSeries: ofSeries.length === 0 ? passed : refuse(...ofSeries),
  })
  if (parsed.violations !== undefined) return parsed
  const { ofSeries: _, texts, ...times } = parsed.value
  return { value: { ...times, ...texts } }
}

/** The violation of a field that belongs to the series; `field` is its path without the leading slash. */
export const notForOneOccurrence = (field: FieldOfSeries | 'repeatOptions/timeZone'): Violation =>
  violationAt(`/${field}`, {
    code: 'not_for_one_occurrence',
    message: 'belongs to the whole series and cannot be changed for one occurrence',
  })

type Unchangeable = { kind: 'no-such-occurrence' } | { kind: 'occurrence-cancelled' } | { kind: 'occurrence-over' }

export type ChangePlan =
  | Unchangeable
  | { kind: 'invalid'; violation: Violation }
  | { kind: 'too-many' }
  | { kind: 'nothing-to-do' }
  /** Null if the occurrence equals the series again. */
  | { kind: 'change'; change: OccurrenceChange | null }

/**
 * Decide the stored change of one occurrence. A new start without an end keeps the length. Values equal to the series
 * are not stored, so that the occurrence follows later changes of the series.
 */
export function planOccurrenceChange(
  series: Series,
  texts: MeetingTexts,
  { originalStart, requested }: { originalStart: Date; requested: RequestedChange },
  now: Date,
): ChangePlan {
  const found = findChangeable(series, originalStart, now)
  if (found.kind !== 'changeable') return found
  const { occurrence } = found
  const { startsAt = occurrence.startsAt } = requested
  const lengthMs = occurrence.endsAt.getTime() - occurrence.startsAt.getTime()
  const times = { startsAt, endsAt: requested.endsAt ?? new Date(startsAt.getTime() + lengthMs) }
  // Unchanged times are not validated again: the series may have changed around them.
  if (!isSameTime(times, occurrence)) {
    const violation =
      findTimesViolation(times.startsAt, times.endsAt) ?? findOrderViolation(series, occurrence, startsAt)
    if (violation !== undefined) return { kind: 'invalid', violation }
  }
  const own = (field: MeetingText) => {
    const text = requested[field] ?? occurrence.change?.[field] ?? null
    return text === texts[field] ? null : text
  }
  const regular = { startsAt: originalStart, endsAt: new Date(originalStart.getTime() + series.durationMs) }
  const change: OccurrenceChange = {
    originalStart: occurrence.originalStart,
    times: isSameTime(times, regular) ? null : times,
    ...mapTexts(own),
  }
  if (isSameChange(change, occurrence.change)) return { kind: 'nothing-to-do' }
  const isNew = occurrence.change === null
  if (isNew && series.changed.length >= maxChangedOccurrences) return { kind: 'too-many' }
  if (change.description !== occurrence.change?.description && isTooLong(series, change))
    return { kind: 'invalid', violation: descriptionsTooLong }
  return { kind: 'change', change: isEmpty(change) ? null : change }
}

function isTooLong({ changed }: Series, { originalStart, description }: OccurrenceChange): boolean {
  if (description === null) return false
  const others = changed.filter((one) => one.originalStart.getTime() !== originalStart.getTime())
  return (
    others.reduce((length, one) => length + (one.description?.length ?? 0), description.length) >
    maxChangedDescriptionsLength
  )
}

const descriptionsTooLong = violationAt('/description', {
  code: 'too_long',
  message: `is too long: the descriptions of all single dates of a series may have ${maxChangedDescriptionsLength.toLocaleString('en')} characters together`,
})

/** Decide whether the change of one occurrence can be taken back. */
export function planUndoingChange(series: Series, originalStart: Date, now: Date): ChangePlan {
  const found = findChangeable(series, originalStart, now)
  if (found.kind !== 'changeable') return found
  return found.occurrence.change === null ? { kind: 'nothing-to-do' } : { kind: 'change', change: null }
}

type RestorePlan =
  | { kind: 'no-such-occurrence' }
  | { kind: 'occurrence-over' }
  | { kind: 'nothing-to-do' }
  | { kind: 'restore' }

/** Decide whether a cancelled occurrence can take place again, with the change that it had before. */
export function planRestoring(series: Series, originalStart: Date, now: Date): RestorePlan {
  const occurrence = findOccurrence(series, originalStart)
  if (occurrence === undefined) return { kind: 'no-such-occurrence' }
  if (occurrence.endsAt <= now) return { kind: 'occurrence-over' }
  return occurrence.cancelled ? { kind: 'restore' } : { kind: 'nothing-to-do' }
}

/** A single meeting is changed as a whole. */
const findOccurrence = (series: Series, originalStart: Date): Occurrence | undefined =>
  series.rule.repeat === 'none' ? undefined : occurrenceAt(series, originalStart)

function findChangeable(
  series: Series,
  originalStart: Date,
  now: Date,
): Unchangeable | { kind: 'changeable'; occurrence: Occurrence } {
  const occurrence = findOccurrence(series, originalStart)
  if (occurrence === undefined) return { kind: 'no-such-occurrence' }
  if (occurrence.cancelled) return { kind: 'occurrence-cancelled' }
  return occurrence.endsAt <= now ? { kind: 'occurrence-over' } : { kind: 'changeable', occurrence }
}

/**
 * RFC 5545 lets an occurrence be moved anywhere; calendar programs refuse to move it past its neighbours. Cancelled
 * neighbours count, because they can be restored.
 */
function findOrderViolation(series: Series, { originalStart }: Occurrence, startsAt: Date): Violation | undefined {
  const startMs = originalStart.getTime()
  const former = lastOriginalStart({ ...series, cancelled: [], endsBy: new Date(startMs - 1) })
  const nextMs = occurrenceStarts(series, originalStart).find((otherMs) => otherMs > startMs)
  const isAfterFormer = !(former instanceof Date) || startsAt > former
  if (isAfterFormer && (nextMs === undefined || startsAt.getTime() < nextMs)) return undefined
  return violationAt('/startTime', {
    code: 'not_between_neighbours',
    message: 'must lie between the original starts of the occurrences before and after this one',
  })
}

type Times = { startsAt: Date; endsAt: Date }

const isSameTime = (one: Times, other: Times) =>
  one.startsAt.getTime() === other.startsAt.getTime() && one.endsAt.getTime() === other.endsAt.getTime()

const isEmpty = ({ times, ...texts }: OccurrenceChange) =>
  times === null && meetingTextNames.every((name) => texts[name] === null)

function isSameChange(change: OccurrenceChange, former: OccurrenceChange | null): boolean {
  if (former === null) return isEmpty(change)
  if (meetingTextNames.some((name) => change[name] !== former[name])) return false
  if (change.times === null || former.times === null) return change.times === former.times
  return isSameTime(change.times, former.times)
}
