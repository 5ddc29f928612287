import { type MeetingTexts, mapTexts } from '@parley/contract/meeting-fields'
import { isSameRule } from '../invitations/invitation-changes.ts'
import type { OccurrenceChange, RecurrenceRule } from '../recurrence/recurrence.ts'
import { isSameJson } from '../text/same-json.ts'
import { isSamePeople, type MeetingPerson, renamedPeople } from './participants.ts'

/** What a request may change of a meeting. */
type MeetingContent = MeetingTexts & {
  startsAt: Date
  endsAt: Date
  timeZone: string
  rule: RecurrenceRule
  endsBy: Date | null
  people: readonly Omit<MeetingPerson, 'email'>[]
  options: object
  reminderMinutes: number | null
}

/** List the fields that differ between two contents of a meeting, by their names in the API. */
export function changedMeetingFields(before: MeetingContent, after: MeetingContent) {
  const invited = ({ people }: MeetingContent) => people.filter((person) => person.invited)
  const cohosts = ({ people }: MeetingContent) => people.filter((person) => person.cohost)
  return changedOnes({
    ...mapTexts((name) => before[name] !== after[name]),
    startTime: before.startsAt.getTime() !== after.startsAt.getTime(),
    endTime: before.endsAt.getTime() !== after.endsAt.getTime(),
    timeZone: before.timeZone !== after.timeZone,
    repeatOptions: !isSameRule(before, after),
    participants:
      !isSamePeople(invited(before), invited(after)) || renamedPeople(invited(after), invited(before)).length > 0,
    cohosts: !isSamePeople(cohosts(before), cohosts(after)),
    advancedOptions: !isSameJson(before.options, after.options),
    reminderMinutes: before.reminderMinutes !== after.reminderMinutes,
  })
}

/** List the fields in which two changes of one occurrence differ; null: the occurrence is as its series. */
export function changedOccurrenceFields(before: OccurrenceChange | null, after: OccurrenceChange | null) {
  const timeOf = (change: OccurrenceChange | null, edge: 'startsAt' | 'endsAt') => change?.times?.[edge].getTime()
  return changedOnes({
    startTime: timeOf(before, 'startsAt') !== timeOf(after, 'startsAt'),
    endTime: timeOf(before, 'endsAt') !== timeOf(after, 'endsAt'),
    ...mapTexts((name) => (before?.[name] ?? null) !== (after?.[name] ?? null)),
  })
}

const changedOnes = <Field extends string>(isChanged: Record<Field, boolean>): Field[] =>
  (Object.keys(isChanged) as Field[]).filter((field) => isChanged[field])
