import type { OccurrenceReply, SingleMeetingReply } from '@parley/contract'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useNow } from '../ui/hooks/use-now.ts'
import { datesBeforeQuery, nextDatesQuery } from './meeting-queries.ts'
import { repeatOf } from './schedule/repeat-draft.ts'
import { writeRepeat } from './schedule/repeat-sentence.ts'
import { wallTimeOf } from './schedule/wall-time.ts'

const tickMs = 60_000

/** Whether a date is running or in the future, and the meeting is not cancelled. */
export function useIsAhead(meeting: SingleMeetingReply): boolean {
  const takesPlace = useTakesPlace(meeting)
  return meeting.status !== 'cancelled' && takesPlace
}

/** Whether a date is running or in the future; of a cancelled series the one that was running then, until its end. */
export function useTakesPlace({ _id, recur, status, endTime }: SingleMeetingReply): boolean {
  const now = useNow(tickMs)
  const { data } = useQuery({ ...nextDatesQuery(_id), enabled: recur })
  if (recur) return data?.active.some((date) => new Date(date.endTime) > now) === true
  return status !== 'cancelled' && new Date(endTime) > now
}

/** Whether every date has ended; not before the dates of a series are known. */
export function useIsOver({ _id, recur, endTime }: SingleMeetingReply): boolean {
  const now = useNow(tickMs)
  const { data } = useQuery({ ...nextDatesQuery(_id), enabled: recur })
  if (recur) return data !== undefined && !data.active.some((date) => new Date(date.endTime) > now)
  return new Date(endTime) <= now
}

const clockEveryMs = 60_000

type Split = Pick<OccurrenceReply, 'startTime' | 'originalStartTime'>

/**
 * Whether this date and all following ones can be changed apart from the series: something must take place before, and
 * what has begun stays.
 */
export function useSplitsAt(meeting: SingleMeetingReply, date: Split | undefined): boolean {
  const now = useNow(clockEveryMs)
  const { data } = useQuery({
    ...datesBeforeQuery(meeting, date?.originalStartTime ?? ''),
    enabled: date !== undefined,
  })
  return date !== undefined && new Date(date.startTime) > now && data?.hasActive === true
}

/** The recurrence as a sentence: "Every week on Monday, until 30 June 2027". Empty for a single meeting. */
export function useRepeatSentence({ repeatOptions, startTime }: SingleMeetingReply): string {
  const { t, i18n } = useTranslation('schedule')
  const { date } = wallTimeOf(startTime, repeatOptions.timeZoneIana)
  return writeRepeat(repeatOf(repeatOptions, date), { t, language: i18n.language })
}
