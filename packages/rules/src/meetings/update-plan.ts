import type { AdvancedOptions } from '@parley/contract'
import { type MeetingTexts, mapTexts, type OptionalText } from '@parley/contract/meeting-fields'
import { type CalendarState, changedFields } from '../invitations/invitation-changes.ts'
import {
  type CarriedCancellations,
  type CarriedChanges,
  carryCancellations,
  carryChanges,
  compareDates,
} from '../recurrence/carried-dates.ts'
import { type Exceptions, lastEnd, noExceptions, type Series } from '../recurrence/recurrence.ts'
import type { Violation } from '../text/violation.ts'
import { changedMeetingFields } from './changed-meeting-fields.ts'
import type { RightsOfPerson } from './meeting-rights.ts'
import { isSamePeople, keepNames, type MeetingPerson, renamedPeople } from './participants.ts'
import {
  completeSchedule,
  findNoOccurrence,
  type Schedule,
  type SentMeeting,
  seriesOf,
} from './read-meeting-request.ts'

/** The values of a meeting that create and update store. */
export type MeetingValues = Schedule & {
  options: AdvancedOptions
  /** The end of the last occurrence. */
  overAt: Date | 'infinity'
}

/** A meeting as it is stored, with its exceptions. */
type StoredMeeting = Omit<Schedule, 'participants'> & {
  options: AdvancedOptions
  people: readonly MeetingPerson[]
  hostAddressKey: string
  sequence: number
  stateSequence: number
  exceptions: Exceptions
  /** The local dates of cancellations that earlier changes have dropped. */
  droppedDates: readonly string[]
}

/** What an update asks for. `sent` lists the fields that the request named: an absent field stays as it is. */
type RequestedUpdate = {
  schedule: Schedule
  options: AdvancedOptions
  sent: Pick<SentMeeting, 'cohosts' | 'reminderMinutes' | OptionalText>
}

/** The change of the schedule that guests may have to be mailed. */
type Notices = { before: Series; after: Series; isContentChanged: boolean; invited: readonly MeetingPerson[] }

export type UpdatePlan =
  | {
      kind: 'change'
      values: MeetingValues
      /** The SEQUENCE of emails about the meeting (RFC 5545, 3.8.7.4), and that of the last change which calendars show. */
      sequence: number
      stateSequence: number
      /** Whether guests are asked again, because the meeting takes place at other times. */
      asksAgain: boolean
      cancellations: CarriedCancellations
      changes: CarriedChanges
      exceptions: Exceptions
      /** The dates ahead that take place again, and those that no longer do. */
      dates: ReturnType<typeof compareDates>
      /** The event of the change; null where no field of the API differs. */
      event: { changed: ReturnType<typeof changedMeetingFields> } | null
      /** Whether the next reminder is found anew: a change of the topic alone must not drop a reminder that is due. */
      movesReminder: boolean
      /** Whether people who are inside the room may have lost the right to be there. */
      reconcilesRoom: boolean
      /** People who were not on the meeting before. */
      added: readonly MeetingPerson[]
      /** People with another name than before. */
      renamed: readonly MeetingPerson[]
      notices: Notices
      removesCohost: boolean
    }
  | { kind: 'no-occurrence'; violation: Violation }

/**
 * Decide what an update of a whole meeting, which is not cancelled, changes. An update with the values that the meeting has
 * is a change as well, without an event: every update raises the version.
 */
export function planUpdate(
  row: StoredMeeting,
  { schedule: requested, options, sent }: RequestedUpdate,
  rights: Pick<RightsOfPerson, 'has'>,
  now: Date,
): UpdatePlan {
  const cohosts = row.people.filter((person) => person.cohost)
  const completed = completeSchedule(requested, rights.has('nameCohosts') ? sent : { ...sent, cohosts: undefined }, {
    cohosts: cohosts.map((person) => person.email),
    reminderMinutes: row.reminderMinutes,
    hostAddressKey: row.hostAddressKey,
    texts: row,
  })
  const schedule = { ...completed, participants: keepNames(completed.participants, row.people) }
  const former = seriesOf(row, row.exceptions)
  const plain = seriesOf(schedule, noExceptions)
  const cancellations = carryCancellations(former, plain)
  const changes = carryChanges(former, plain)
  const exceptions = {
    cancelled: cancellations.kept.map(({ to }) => to),
    changed: changes.kept.map(({ change }) => change),
  }
  const violation = findNoOccurrence(schedule, exceptions.cancelled)
  if (violation !== undefined) return { kind: 'no-occurrence', violation }

  const values = toMeetingValues({ schedule, options }, exceptions)
  const series = seriesOf(values, exceptions)
  const changedForGuests = changedFields(calendarStateOf(row, former), calendarStateOf(values, series))
  const isContentChanged = changedForGuests.length > 0
  const notices = { before: former, after: series, isContentChanged, invited: values.participants }

  // Increase the sequence also if only people change: emails to a person who is removed and invited again must have
  // ordered sequences.
  const isAnyChanged = isContentChanged || !isSamePeople(row.people, values.participants)
  const sequence = row.sequence + (isAnyChanged ? 1 : 0)
  const asksAgain = changedForGuests.some((field) => field === 'time' || field === 'rule')
  const changed = changedMeetingFields(row, { ...values, people: values.participants })
  const kept = new Set(values.participants.filter((person) => person.cohost).map((person) => person.addressKey))
  const removesCohost = cohosts.some((person) => !kept.has(person.addressKey))
  const { isRestrictedMeeting, colleagueOnly, loggedInOnly } = options
  const before = new Set(row.people.map(({ addressKey }) => addressKey))
  return {
    kind: 'change',
    values,
    sequence,
    stateSequence: isContentChanged ? sequence : row.stateSequence,
    asksAgain,
    cancellations,
    changes,
    exceptions,
    dates: compareDates(former, series, row.droppedDates, now),
    event: changed.length > 0 ? { changed } : null,
    movesReminder: asksAgain || values.reminderMinutes !== row.reminderMinutes,
    reconcilesRoom:
      isRestrictedMeeting || colleagueOnly || loggedInOnly || removesCohost || kept.size !== cohosts.length,
    added: values.participants.filter(({ addressKey }) => !before.has(addressKey)),
    renamed: renamedPeople(values.participants, row.people),
    notices,
    removesCohost,
  }
}

/** Return the values to store. */
export function toMeetingValues(
  { schedule, options }: Omit<RequestedUpdate, 'sent'>,
  exceptions: Exceptions,
): MeetingValues {
  const end = lastEnd(seriesOf(schedule, exceptions))
  return { ...schedule, overAt: end instanceof Date ? end : 'infinity', options }
}

/** An update changes neither the links nor the PIN. */
const calendarStateOf = (texts: MeetingTexts, series: Series): CalendarState => ({
  ...mapTexts((name) => texts[name]),
  code: '',
  pin: '',
  series,
})
