import { findTimesViolation } from '../meetings/meeting-times.ts'
import type { Occurrence, Series } from '../recurrence/recurrence.ts'
import { readTimeZone } from '../recurrence/time-zone.ts'
import { type ForeignObservance, offsetOfForeignZone } from '../recurrence/vtimezone-offset.ts'
import { wallClockIn } from '../recurrence/wall-clock.ts'
import type { RecurrenceId } from './answerable-occurrence.ts'

/**
 * Maximum of proposals of one guest for a meeting and its dates. A new proposal for a date replaces the guest's earlier
 * one. A proposal changes nothing and no mail refuses it (RFC 5546, 3.2.8): the host saves a change, or dismisses it.
 */
export const maxProposals = 10

/** A time in a calendar object, with the VTIMEZONE that its TZID names; empty where there is none. */
export type WrittenTime = RecurrenceId & { zone: readonly ForeignObservance[] }

/** The times that a guest proposes, as a calendar program writes them. */
export type WrittenProposal = { start: WrittenTime; end: WrittenTime | { durationMs: number } | null }

/** `planned`: the occurrence, or the first one of the meeting. */
type Proposed = { series: Series; planned: Pick<Occurrence, 'startsAt' | 'endsAt'> }

/**
 * Read proposed times; without an end the meeting keeps its length. Undefined where they cannot be read, have passed,
 * or are those that the meeting has.
 */
export function readProposedTimes(
  { start, end }: WrittenProposal,
  { series, planned }: Proposed,
  now: Date,
): { startsAt: Date; endsAt: Date } | undefined {
  const startsAt = instantOf(start, series)
  const lengthMs = planned.endsAt.getTime() - planned.startsAt.getTime()
  const endsAt =
    end === null || 'durationMs' in end
      ? startsAt && new Date(startsAt.getTime() + (end?.durationMs ?? lengthMs))
      : instantOf(end, series)
  if (startsAt === undefined || endsAt === undefined || Number.isNaN(endsAt.getTime()) || startsAt <= now)
    return undefined
  if (findTimesViolation(startsAt, endsAt) !== undefined) return undefined
  const isPlanned = startsAt.getTime() === planned.startsAt.getTime() && endsAt.getTime() === planned.endsAt.getTime()
  return isPlanned ? undefined : { startsAt, endsAt }
}

/** Local times, and those of a zone that neither the object nor IANA describes, are in the zone of the series. */
function instantOf({ wallMs, timeZone, zone }: WrittenTime, series: Series): Date | undefined {
  const reading = timeZone === null ? undefined : readTimeZone(timeZone)
  if (reading?.kind === 'known') return validDate(wallClockIn(reading.timeZone).instantOf(wallMs))
  const offsetMs = offsetOfForeignZone(zone, wallMs)
  return validDate(offsetMs === undefined ? wallClockIn(series.timeZone).instantOf(wallMs) : wallMs - offsetMs)
}

function validDate(instantMs: number): Date | undefined {
  const date = new Date(instantMs)
  return Number.isNaN(date.getTime()) ? undefined : date
}
