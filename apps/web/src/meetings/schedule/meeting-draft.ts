import {
  type AdvancedOptions,
  advancedOptionDefaults,
  type MeetingRequest,
  type SingleMeetingReply,
} from '@parley/contract'
import { addressKey } from '@parley/rules/text/email-address'
import { withoutDoubles } from './fields/address-list.ts'
import { type RepeatDraft, repeatFrom, repeatOf, repeatRequestOf } from './repeat-draft.ts'
import { instantOf, isKnownZone, wallTimeOf } from './wall-time.ts'

/** A meeting as the form holds it: everything may still be wrong. Date and time are what the zone's clock shows. */
export type MeetingDraft = {
  topic: string
  date: string
  time: string
  durationMs: number
  /** As it is sent: a short code or an IANA name. */
  timeZone: string
  participants: readonly string[]
  cohosts: readonly string[]
  description: string
  options: AdvancedOptions
  repeat: RepeatDraft
  /** Before each date; 0 is none, null as the service does it where nothing is said. */
  reminderMinutes: number | null
  tellsParticipants: boolean
}

export const minuteMs = 60_000
const defaultDurationMs = 30 * minuteMs
const slotMs = 30 * minuteMs

/** Half an hour that begins with the slot that was chosen, or with the next full or half hour. */
export function newDraft(now: Date, timeZone: string, zoneId: string, chosenStart?: string): MeetingDraft {
  const startsAt = chosenStart ?? new Date((Math.floor(now.getTime() / slotMs) + 1) * slotMs)
  const wall = wallTimeOf(startsAt, zoneId)
  return {
    topic: '',
    ...wall,
    durationMs: defaultDurationMs,
    timeZone,
    participants: [],
    cohosts: [],
    description: '',
    options: { ...advancedOptionDefaults },
    repeat: repeatFrom(wall.date),
    reminderMinutes: null,
    tellsParticipants: true,
  }
}

/** What was scheduled, to be changed. */
export function draftOf(meeting: SingleMeetingReply): MeetingDraft {
  const wall = wallTimeOf(meeting.startTime, meeting.repeatOptions.timeZoneIana)
  return {
    topic: meeting.topic,
    ...wall,
    durationMs: meeting.scheduledDuration,
    timeZone: meeting.repeatOptions.timeZone,
    participants: meeting.participants.map(({ email }) => email),
    cohosts: meeting.cohosts,
    description: meeting.description,
    options: meeting.advancedOptions,
    repeat: repeatOf(meeting.repeatOptions, wall.date),
    reminderMinutes: meeting.reminderMinutes,
    tellsParticipants: true,
  }
}

/**
 * As it is sent (service.md 2.1). A start that was not touched stays what it was: it may be the second showing of its
 * time on the night when clocks are put back. An empty time is sent as one, so that the server names it as wrong.
 */
export function requestOf(draft: MeetingDraft, zoneId: string, was?: SingleMeetingReply): MeetingRequest {
  const startsAt = startOf(draft, zoneId, was)
  return {
    topic: draft.topic.trim(),
    description: draft.description,
    startTime: startsAt?.toISOString() ?? '',
    endTime: startsAt === undefined ? '' : new Date(startsAt.getTime() + draft.durationMs).toISOString(),
    participants: withoutDoubles(draft.participants),
    cohosts: withoutDoubles(draft.cohosts),
    advancedOptions: draft.options,
    isPinEnabled: true,
    repeatOptions: repeatRequestOf(draft.repeat, draft.timeZone, zoneId, was?.repeatOptions),
    reminderMinutes: draft.reminderMinutes,
  }
}

/** When the draft starts; undefined while its date, its time or its zone is none. */
export function startOf(draft: MeetingDraft, zoneId: string, was?: SingleMeetingReply): Date | undefined {
  if (!isKnownZone(zoneId)) return undefined
  if (was !== undefined && was.repeatOptions.timeZoneIana === zoneId) {
    const before = wallTimeOf(was.startTime, zoneId)
    if (before.date === draft.date && before.time === draft.time) return new Date(was.startTime)
  }
  return instantOf(draft, zoneId)
}

/** Whether two drafts say the same; addresses in any case. */
export const isSameDraft = (one: MeetingDraft, other: MeetingDraft): boolean => keyOf(one) === keyOf(other)

const keyOf = ({ participants, cohosts, options, ...rest }: MeetingDraft) =>
  JSON.stringify([
    participants.map(addressKey),
    cohosts.map(addressKey),
    Object.entries(options).toSorted(),
    Object.entries({ ...rest, repeat: Object.entries(rest.repeat).toSorted() }).toSorted(),
  ])
