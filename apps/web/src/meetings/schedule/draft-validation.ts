import { isMeetingText, mapTexts, meetingTexts } from '@parley/contract/meeting-fields'
import { maxMeetingMs } from '@parley/rules/meetings/meeting-times'
import { maxCohosts, maxParticipants } from '@parley/rules/meetings/participants'
import { maxInterval, maxOccurrences } from '@parley/rules/meetings/repeat-options'
import { findPlainTextViolation } from '@parley/rules/text/plain-text'
import { wrongAddresses } from './address-list.ts'
import type { MeetingDraft } from './meeting-draft.ts'
import { hasInterval } from './repeat-draft.ts'
import { isKnownZone } from './wall-time.ts'

/** The keys of the texts `violations.{…}`, which say what is wrong and how to fix it. */
type DraftViolation =
  | 'topicMissing'
  | 'topicTooLong'
  | 'descriptionTooLong'
  | 'locationTooLong'
  | 'controlCharacter'
  | 'dateMissing'
  | 'timeMissing'
  | 'durationMissing'
  | 'durationTooLong'
  | 'unknownZone'
  | 'wrongAddresses'
  | 'tooManyPeople'
  | 'intervalWrong'
  | 'noWeekday'
  | 'noWeek'
  | 'dateInMonthWrong'
  | 'endMissing'
  | 'countWrong'
  | 'endsBeforeStart'
  | 'endsTooLate'
  | 'neverTakesPlace'
  | 'notBetweenNeighbours'
  | 'beforeSplit'

type DraftField =
  | Exclude<keyof MeetingDraft, 'repeat' | 'options' | 'tellsParticipants'>
  | `repeat.${'repeat' | 'interval' | 'weekdays' | 'dateInMonth' | 'weeks' | 'weekdaysInMonth' | 'endDate' | 'count'}`

type DraftViolations = Partial<Record<DraftField, DraftViolation>>

type Violations = { [Field in DraftField]?: DraftViolation | false | undefined }

/** Validate what the browser can check before sending; the server validates everything again. */
export function validateDraft(draft: MeetingDraft, zoneId: string): DraftViolations {
  const { topic, description, location } = mapTexts(
    (name) => findPlainTextViolation(draft[name], meetingTexts[name])?.code,
  )
  const found: Violations = {
    topic: topic === 'too_short' ? 'topicMissing' : topic === 'too_long' ? 'topicTooLong' : topic && 'controlCharacter',
    description: description === 'too_long' ? 'descriptionTooLong' : description && 'controlCharacter',
    location: location === 'too_long' ? 'locationTooLong' : location && 'controlCharacter',
    date: draft.date === '' && 'dateMissing',
    time: draft.time === '' && 'timeMissing',
    durationMs: draft.durationMs > maxMeetingMs ? 'durationTooLong' : !(draft.durationMs > 0) && 'durationMissing',
    timeZone: !isKnownZone(zoneId) && 'unknownZone',
    participants: peopleViolation(draft.participants, maxParticipants),
    cohosts: peopleViolation(draft.cohosts, maxCohosts),
    ...repeatViolations(draft),
  }
  return Object.fromEntries(
    Object.entries(found).filter(([, violation]) => typeof violation === 'string'),
  ) as DraftViolations
}

function peopleViolation(addresses: readonly string[], most: number): DraftViolation | false {
  if (wrongAddresses(addresses).length > 0) return 'wrongAddresses'
  return addresses.length > most && 'tooManyPeople'
}

function repeatViolations({ date, repeat: draft }: MeetingDraft): Violations {
  const { repeat, monthlyOn } = draft
  if (repeat === 'none') return {}
  const isInterval = Number.isInteger(draft.interval) && draft.interval >= 1 && draft.interval <= maxInterval
  const isDate = Number.isInteger(draft.dateInMonth) && draft.dateInMonth >= 1 && draft.dateInMonth <= lastDateInMonth
  const isCount = Number.isInteger(draft.count) && draft.count >= 1 && draft.count <= maxOccurrences
  const isMonthlyOn = (kind: typeof monthlyOn) => repeat === 'monthly' && monthlyOn === kind
  return {
    'repeat.interval': hasInterval(repeat) && !isInterval && 'intervalWrong',
    'repeat.weekdays': repeat === 'weekly' && draft.weekdays.length === 0 && 'noWeekday',
    'repeat.dateInMonth': isMonthlyOn('date') && !isDate && 'dateInMonthWrong',
    'repeat.weeks': isMonthlyOn('weeks') && draft.weeks.length === 0 && 'noWeek',
    'repeat.weekdaysInMonth': isMonthlyOn('weeks') && draft.weekdaysInMonth.length === 0 && 'noWeekday',
    'repeat.endDate':
      draft.ends === 'date' && (draft.endDate === '' ? 'endMissing' : draft.endDate < date && 'endsBeforeStart'),
    'repeat.count': draft.ends === 'count' && !isCount && 'countWrong',
  }
}

export const lastDateInMonth = 31

/** Map a JSON Pointer of the API to the form's field. */
export function fieldOf(path: string, { repeat }: MeetingDraft): DraftField | undefined {
  const [, field = '', inner = ''] = path.split('/')
  if (isMeetingText(field)) return field
  switch (field) {
    case 'startTime':
      return 'date'
    case 'endTime':
      return 'durationMs'
    case 'participants':
    case 'cohosts':
    case 'message':
      return field
    case 'repeatOptions':
      break
    default:
      return undefined
  }
  switch (inner) {
    case 'timeZone':
      return 'timeZone'
    case 'daysOfWeek':
      return repeat.repeat === 'weekly' ? 'repeat.weekdays' : 'repeat.weekdaysInMonth'
    case 'weeksInMonth':
      return 'repeat.weeks'
    case 'interval':
    case 'dateInMonth':
    case 'endDate':
    case 'count':
      return `repeat.${inner}`
    default:
      return 'repeat.repeat'
  }
}

/** Codes of the server for which the form has its own, more specific texts. */
export const violationOfCode: Partial<Record<string, DraftViolation>> = {
  no_occurrence: 'neverTakesPlace',
  too_late: 'endsTooLate',
  not_after_start: 'durationMissing',
  no_day: 'noWeekday',
  not_between_neighbours: 'notBetweenNeighbours',
  before_split: 'beforeSplit',
}
