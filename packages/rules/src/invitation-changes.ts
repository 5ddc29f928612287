import { heldSeries } from './cancellation.ts'
import { firstOccurrence, nextOccurrence, occurrences, type Series } from './recurrence.ts'

/** What of a meeting its guests are told. */
export type InvitedMeeting = {
  topic: string
  description: string
  /** The meeting code, which the links hold. */
  code: string
  pin: string
  series: Series
  /** Address keys of those who are invited; the host is none of them. */
  guests: readonly string[]
}

export type MeetingChange =
  | { kind: 'created'; after: InvitedMeeting }
  | { kind: 'updated'; before: InvitedMeeting; after: InvitedMeeting }
  /** One date of a series goes, the series goes on. */
  | { kind: 'occurrence-cancelled'; before: InvitedMeeting; occurrence: Date }
  /** `skip` is the date that was the last one, when the meeting ends with it. */
  | { kind: 'cancelled'; before: InvitedMeeting; skip: Date | null }

/** What a guest is mailed; a reminder is no change, but a letter too. */
export type LetterKind =
  | 'invitation'
  | 'update'
  | 'cancellation'
  /** To somebody who is no longer invited to a meeting that goes on. */
  | 'removal'
  | 'occurrence-cancellation'
  /** Dates have been held, the rest is cancelled. */
  | 'series-end'
  | 'reminder'

/** What matters to guests. Options of the room, and reminders, do not. */
export type ChangedField = 'topic' | 'time' | 'rule' | 'description' | 'link' | 'pin'

export type InvitationPlan = {
  /** Calendars have to take what is sent from now on for newer than what they have (RFC 5545, 3.8.7.4). */
  advancesSequence: boolean
  changed: readonly ChangedField[]
  letters: readonly { addressKey: string; kind: LetterKind }[]
  /** What the letters say takes place; of a cancelled series what was held. */
  series: Series
  /** The date that is cancelled, or the first of those that are. */
  cancelledFrom: Date | null
}

/**
 * Who is mailed what about a change: the table of notifications.md 1. Nobody is mailed about a meeting that is over.
 */
export function planInvitations(change: MeetingChange, now: Date): InvitationPlan {
  const plan = planChange(change, now)
  const told = change.kind === 'created' || change.kind === 'updated' ? change.after : change.before
  const isOver = nextOccurrence(told.series, now) === undefined
  return isOver ? { ...plan, letters: [] } : plan
}

function planChange(change: MeetingChange, now: Date): InvitationPlan {
  switch (change.kind) {
    case 'created':
      return {
        advancesSequence: false,
        changed: [],
        letters: toAll(change.after, 'invitation'),
        series: change.after.series,
        cancelledFrom: null,
      }
    case 'updated':
      return planUpdate(change.before, change.after)
    case 'occurrence-cancelled': {
      const { before, occurrence } = change
      return {
        advancesSequence: true,
        changed: [],
        letters: toAll(before, 'occurrence-cancellation'),
        series: { ...before.series, excluded: [...before.series.excluded, occurrence] },
        cancelledFrom: occurrence,
      }
    }
    case 'cancelled':
      return planEnd(change.before, change.skip, now)
  }
}

function planUpdate(before: InvitedMeeting, after: InvitedMeeting): InvitationPlan {
  const changed = changedFields(before, after)
  const wereInvited = new Set(before.guests)
  const areInvited = new Set(after.guests)
  const newcomers = after.guests.filter((guest) => !wereInvited.has(guest))
  const stayers = after.guests.filter((guest) => wereInvited.has(guest))
  const leavers = before.guests.filter((guest) => !areInvited.has(guest))
  const letters = [
    ...(changed.length > 0 ? lettersTo(stayers, 'update') : []),
    ...lettersTo(newcomers, 'invitation'),
    ...lettersTo(leavers, 'removal'),
  ]
  const advancesSequence = changed.length > 0 || letters.length > 0
  return { advancesSequence, changed, letters, series: after.series, cancelledFrom: null }
}

/** What has been held stays in calendars: they are told of an earlier end, not that it never was. */
function planEnd(before: InvitedMeeting, skip: Date | null, now: Date): InvitationPlan {
  const whole = skip === null ? before.series : { ...before.series, excluded: [...before.series.excluded, skip] }
  const held = heldSeries(whole, now)
  const isHeld = held !== undefined && firstOccurrence(held) !== undefined
  return {
    advancesSequence: true,
    changed: [],
    letters: toAll(before, isHeld ? 'series-end' : 'cancellation'),
    series: isHeld ? held : before.series,
    cancelledFrom: skip ?? firstStartAfter(before.series, now),
  }
}

const firstStartAfter = (series: Series, now: Date): Date | null =>
  occurrences(series, now).find(({ startsAt, excluded }) => !excluded && startsAt > now)?.startsAt ?? null

const toAll = ({ guests }: InvitedMeeting, kind: LetterKind) => lettersTo(guests, kind)

const lettersTo = (guests: readonly string[], kind: LetterKind) => guests.map((addressKey) => ({ addressKey, kind }))

function changedFields(before: InvitedMeeting, after: InvitedMeeting): ChangedField[] {
  const compared: Record<ChangedField, (meeting: InvitedMeeting) => unknown> = {
    topic: ({ topic }) => topic,
    time: ({ series: { startsAt, durationMs, timeZone } }) => [startsAt, durationMs, timeZone],
    rule: ({ series: { rule, endsBy } }) => [rule, endsBy],
    description: ({ description }) => description,
    link: ({ code }) => code,
    pin: ({ pin }) => pin,
  }
  const fields = Object.keys(compared) as ChangedField[]
  return fields.filter((field) => textOf(compared[field](before)) !== textOf(compared[field](after)))
}

/** The database hands a rule's fields out in an order of its own. */
const textOf = (value: unknown): string =>
  JSON.stringify(value, (_key, part) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  )
