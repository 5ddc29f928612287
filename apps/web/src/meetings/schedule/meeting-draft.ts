import type { AdvancedOptions, MeetingDefaults, MeetingRequest, SingleMeetingReply } from '@parley/contract'
import { type MeetingTexts, mapTexts, meetingTexts } from '@parley/contract/meeting-fields'
import { addressKey } from '@parley/rules/text/email-address'
import { readMailbox, writeMailbox } from '@parley/rules/text/mailbox'
import { addressOf, withoutDoubles } from './address-list.ts'
import { type RepeatDraft, repeatFrom, repeatOf, repeatRequestOf } from './repeat-draft.ts'
import { instantOf, isKnownZone, wallTimeOf } from './wall-time.ts'

/** The form's values, not validated yet. Date and time are local to the time zone. */
export type MeetingDraft = MeetingTexts & {
  date: string
  time: string
  durationMs: number
  /** As sent: a short code or an IANA name. */
  timeZone: string
  /** Addresses, with names or without (address-list.ts). */
  participants: readonly string[]
  cohosts: readonly string[]
  options: AdvancedOptions
  repeat: RepeatDraft
  /** Minutes before each date; 0 is none, null is the service's default. */
  reminderMinutes: number | null
  tellsParticipants: boolean
  /** What is written to those who are emailed about a change. */
  message: string
}

export const minuteMs = 60_000
const slotMs = 30 * minuteMs

type NewDraft = {
  timeZone: string
  zoneId: string
  /** What the person's new meetings begin with. */
  defaults: MeetingDefaults
  /** The chosen slot; the next full or half hour without it. */
  chosenStart?: string | undefined
}

/** A new meeting with the person's own defaults. */
export function newDraft(now: Date, { timeZone, zoneId, defaults, chosenStart }: NewDraft): MeetingDraft {
  const startsAt = chosenStart ?? new Date((Math.floor(now.getTime() / slotMs) + 1) * slotMs)
  const wall = wallTimeOf(startsAt, zoneId)
  return {
    ...mapTexts(() => ''),
    ...wall,
    durationMs: defaults.durationMinutes * minuteMs,
    timeZone,
    participants: [],
    cohosts: [],
    options: { ...defaults.advancedOptions },
    repeat: repeatFrom(wall.date),
    reminderMinutes: null,
    tellsParticipants: defaults.sendUpdates === 'all',
    message: '',
  }
}

/** The draft of an existing meeting, to edit it. */
export function draftOf(meeting: SingleMeetingReply): MeetingDraft {
  const wall = wallTimeOf(meeting.startTime, meeting.repeatOptions.timeZoneIana)
  return {
    ...mapTexts((name) => meeting[name]),
    ...wall,
    durationMs: meeting.scheduledDuration,
    timeZone: meeting.repeatOptions.timeZone,
    participants: meeting.participants.map(({ email, displayName = '' }) =>
      writeMailbox({ address: email, name: displayName }),
    ),
    cohosts: meeting.cohosts,
    options: meeting.advancedOptions,
    repeat: repeatOf(meeting.repeatOptions, wall.date),
    reminderMinutes: meeting.reminderMinutes,
    tellsParticipants: true,
    message: '',
  }
}

/**
 * Build the request. An unchanged start is sent as it was received: it may be the second occurrence of its local time
 * on the night when clocks go back. An empty time is sent empty, so that the server reports it.
 */
export function toMeetingRequest(draft: MeetingDraft, zoneId: string, was?: SingleMeetingReply): MeetingRequest {
  const startsAt = startOf(draft, zoneId, was)
  return {
    ...textsOf(draft),
    startTime: startsAt?.toISOString() ?? '',
    endTime: startsAt === undefined ? '' : new Date(startsAt.getTime() + draft.durationMs).toISOString(),
    participants: withoutDoubles(draft.participants).map(removedNameOf(was)),
    cohosts: withoutDoubles(draft.cohosts).map(addressOf),
    advancedOptions: draft.options,
    isPinEnabled: true,
    repeatOptions: repeatRequestOf(draft.repeat, draft.timeZone, zoneId, was?.repeatOptions),
    reminderMinutes: draft.reminderMinutes,
  }
}

/** Send an empty name for a guest whose name was removed, because an address alone keeps its name. */
function removedNameOf(was: SingleMeetingReply | undefined) {
  const named = new Set(
    was?.participants.filter(({ displayName }) => displayName).map(({ email }) => addressKey(email)),
  )
  return (person: string) => (named.has(addressKey(person)) ? { email: person, displayName: '' } : person)
}

/** The texts as they are sent: one line is sent without spaces around it. */
export const textsOf = (draft: MeetingTexts): MeetingTexts =>
  mapTexts((name) => (meetingTexts[name].lines ? draft[name] : draft[name].trim()))

/** The draft's start; undefined while its date, time or time zone is invalid. */
export function startOf(draft: MeetingDraft, zoneId: string, was?: SingleMeetingReply): Date | undefined {
  if (!isKnownZone(zoneId)) return undefined
  if (was !== undefined && was.repeatOptions.timeZoneIana === zoneId) {
    const before = wallTimeOf(was.startTime, zoneId)
    if (before.date === draft.date && before.time === draft.time) return new Date(was.startTime)
  }
  return instantOf(draft, zoneId)
}

/** Whether two drafts are equal, ignoring the case of addresses. */
export const isSameDraft = (one: MeetingDraft, other: MeetingDraft): boolean => keyOf(one) === keyOf(other)

const keyOf = ({ participants, cohosts, options, ...rest }: MeetingDraft) =>
  JSON.stringify([
    participants.map((person) => [addressKey(addressOf(person)), readMailbox(person).name]),
    cohosts.map((person) => addressKey(addressOf(person))),
    Object.entries(options).toSorted(),
    Object.entries({ ...rest, repeat: Object.entries(rest.repeat).toSorted() }).toSorted(),
  ])

const dayMs = 24 * 60 * 60 * 1000
const weekMs = 7 * dayMs

/**
 * Copy a meeting into a new draft. A start in the past is moved by whole weeks into the future, which keeps its weekday
 * and local time; the end date of a series moves by the same amount.
 */
export function copiedDraft(meeting: SingleMeetingReply, now: Date): MeetingDraft {
  const draft = draftOf(meeting)
  const lateMs = now.getTime() - Date.parse(meeting.startTime)
  let moved = draft
  for (let weeks = Math.max(Math.floor(lateMs / weekMs), 0); ; weeks++) {
    moved = movedBy(draft, weeks * weekMs)
    const startsAt = startOf(moved, meeting.repeatOptions.timeZoneIana)
    if (startsAt === undefined || startsAt > now) return moved
  }
}

function movedBy(draft: MeetingDraft, ms: number): MeetingDraft {
  const later = (date: string) =>
    date === '' ? date : new Date(Date.parse(`${date}T00:00Z`) + ms).toISOString().slice(0, 10)
  return { ...draft, date: later(draft.date), repeat: { ...draft.repeat, endDate: later(draft.repeat.endDate) } }
}

/** Who may join a meeting, as one choice. */
export type EntryChoice = 'anyone' | 'signedIn' | 'organisation' | 'invited' | 'invitedColleagues'

type EntryOptions = Pick<AdvancedOptions, 'loggedInOnly' | 'colleagueOnly' | 'isRestrictedMeeting'>

const entryOptions: Record<EntryChoice, EntryOptions> = {
  anyone: { loggedInOnly: false, colleagueOnly: false, isRestrictedMeeting: false },
  signedIn: { loggedInOnly: true, colleagueOnly: false, isRestrictedMeeting: false },
  organisation: { loggedInOnly: false, colleagueOnly: true, isRestrictedMeeting: false },
  invited: { loggedInOnly: false, colleagueOnly: false, isRestrictedMeeting: true },
  invitedColleagues: { loggedInOnly: false, colleagueOnly: true, isRestrictedMeeting: true },
}

export const entryChoices = Object.keys(entryOptions) as EntryChoice[]

/** The choice that three options make: invited people and colleagues are recognised only when they are signed in. */
export function entryChoiceOf({ loggedInOnly, colleagueOnly, isRestrictedMeeting }: EntryOptions): EntryChoice {
  if (isRestrictedMeeting) return colleagueOnly ? 'invitedColleagues' : 'invited'
  if (colleagueOnly) return 'organisation'
  return loggedInOnly ? 'signedIn' : 'anyone'
}

/** Set a choice; options that mean it already stay as another client has sent them. */
export const withEntryChoice = <Options extends EntryOptions>(options: Options, choice: EntryChoice): Options =>
  entryChoiceOf(options) === choice ? options : { ...options, ...entryOptions[choice] }
