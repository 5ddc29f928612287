import type { OccurrenceReply, SingleMeetingReply } from '@parley/contract'
import { useQuery } from '@tanstack/react-query'
import { useNow } from '../../ui/hooks/use-now.ts'
import { datesBeforeQuery } from './dates-before-query.ts'

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
