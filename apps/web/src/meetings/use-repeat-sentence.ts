import type { SingleMeetingReply } from '@parley/contract'
import { useTranslation } from 'react-i18next'
import { repeatOf } from './schedule/repeat-draft.ts'
import { writeRepeat } from './schedule/repeat-sentence.ts'
import { wallTimeOf } from './schedule/wall-time.ts'

/** The recurrence as a sentence: "Every week on Monday, until 30 June 2027". Empty for a single meeting. */
export function useRepeatSentence({ repeatOptions, startTime }: SingleMeetingReply): string {
  const { t, i18n } = useTranslation('schedule')
  const { date } = wallTimeOf(startTime, repeatOptions.timeZoneIana)
  return writeRepeat(repeatOf(repeatOptions, date), { t, language: i18n.language })
}
