import type { TFunction } from 'i18next'
import { writeSpan } from '../../texts/dates.ts'
import { joinWords } from './fields/calendar-words.ts'
import { writeReminder } from './fields/reminder-words.ts'
import { type TimeZoneCode, zoneIdOf } from './fields/time-zones.ts'
import { type MeetingDraft, startOf } from './meeting-draft.ts'
import { writeRepeat } from './repeat-sentence.ts'

type Words = { t: TFunction<['schedule', 'app']>; language: string; codes: readonly TimeZoneCode[] }

/** One difference between two versions of a meeting, in words. */
type Difference = { name: string; mine: string; theirs: string }

/** The differences between two versions of a meeting, in the order of the form. */
export function differencesOf(mine: MeetingDraft, theirs: MeetingDraft, words: Words): Difference[] {
  const own = sayAll(mine, words)
  const other = new Map(sayAll(theirs, words))
  return own.flatMap(([name, text]) => {
    const counterpart = other.get(name) ?? ''
    return text === counterpart ? [] : [{ name, mine: text, theirs: counterpart }]
  })
}

function sayAll(draft: MeetingDraft, { t, language, codes }: Words): [name: string, text: string][] {
  const zoneId = zoneIdOf(draft.timeZone, codes)
  const startsAt = startOf(draft, zoneId)
  const dateFormat = { language, timeZone: zoneId }
  const endsAt = startsAt && new Date(startsAt.getTime() + draft.durationMs)
  const people = (addresses: readonly string[]) =>
    addresses.length === 0 ? t('versions.noPeople') : joinWords(addresses.toSorted(), language)
  const options = (Object.keys(draft.options) as (keyof MeetingDraft['options'])[]).toSorted()
  return [
    [t('topic'), draft.topic],
    [t('app:when'), startsAt && endsAt ? `${writeSpan(startsAt, endsAt, dateFormat)} (${draft.timeZone})` : ''],
    [t('repeats.label'), writeRepeat(draft.repeat, { t, language }) || t('repeats.ways.none')],
    [t('reminder.label'), writeReminder(draft.reminderMinutes, { t, language })],
    [t('app:participants'), people(draft.participants)],
    [t('app:description'), draft.description === '' ? t('versions.nothing') : draft.description],
    [t('app:location'), draft.location === '' ? t('versions.nothing') : draft.location],
    [t('people.cohosts'), people(draft.cohosts)],
    ...options.map((option): [string, string] => [
      t(`options.${option}`),
      draft.options[option] ? t('app:yes') : t('app:no'),
    ]),
  ]
}
