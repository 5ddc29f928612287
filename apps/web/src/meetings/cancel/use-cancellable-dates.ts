import type { OccurrenceReply } from '@parley/contract'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { openedDateQuery } from '../meeting-queries.ts'
import type { Dated } from './dates-to-cancel.ts'
import { remainingDatesQuery } from './remaining-dates-query.ts'

type Choice = {
  /** The date that the dialog was opened from. */
  occurrence: OccurrenceReply | undefined
  /** The original start of the date that the host has selected. */
  selected: string | undefined
}

/**
 * The dates of a series that can be cancelled. Chosen is the selected date, or else the one that the dialog was opened
 * from, or the page shows, or the next one; none where the selected date is gone.
 */
export function useCancellableDates(
  { _id: meetingId, recur }: { _id: string; recur: boolean },
  { occurrence, selected }: Choice,
  now: Date,
) {
  const { date = '' } = useSearch({ strict: false })
  const listed = useQuery({ ...remainingDatesQuery(meetingId, now), enabled: recur })
  const opened = useQuery({ ...openedDateQuery(meetingId, date), enabled: recur && date !== '' })
  if (listed.data === undefined || opened.isLoading) return { error: listed.error }

  const { occurrences: ahead, moreAvailable } = listed.data
  const shown = [occurrence, opened.data ?? undefined].find(
    (one) => one && one.status !== 'cancelled' && new Date(one.endTime) > now,
  )
  const isListed = ahead.some(({ originalStartTime }) => originalStartTime === shown?.originalStartTime)
  // It may be further ahead than those that are listed.
  const choices: readonly Dated[] = shown === undefined || isListed ? ahead : [...ahead, shown]
  const wanted = selected ?? shown?.originalStartTime ?? ahead[0]?.originalStartTime
  const chosen = choices.find(({ originalStartTime }) => originalStartTime === wanted)
  return { error: listed.error, dates: { ahead, moreAvailable, choices, chosen } }
}
