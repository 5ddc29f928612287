import type { SingleMeetingReply } from '@parley/contract'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useProblemWords } from '../../../session/problem-words.ts'
import { showToast } from '../../../ui/toast.ts'
import { meetingQuery } from '../../meeting-queries.ts'
import { regularTimesOf } from '../../occurrence/regular-times.ts'
import type { CalendarDate } from './calendar-date.ts'
import { MoveDialog } from './MoveDialog.tsx'
import type { Times } from './moved-times.ts'
import { useSaveMove } from './use-save-move.ts'

type MoveConfirmationProps = {
  date: CalendarDate
  times: Times
  /** The move is saved, refused or cancelled: the date is at these times. */
  onEnd(times: Times): void
}

/** Read anew: a move is conditional on the version that is current when the date is dropped. */
const movedQuery = (meetingId: string) => ({
  ...meetingQuery(meetingId),
  queryKey: [...meetingQuery(meetingId).queryKey, 'moved'],
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: 0,
})

/**
 * Save a moved date. Ask before where more than this date could move, or where people are told by email; otherwise the
 * toast offers to undo it.
 */
export function MoveConfirmation({ date, times, onEnd }: MoveConfirmationProps) {
  const { t } = useTranslation('occurrence')
  const words = useProblemWords()
  const { data, error } = useQuery(movedQuery(date.meetingId))
  const failed = useRef<(reason: unknown) => void>(undefined)
  failed.current = (reason) => {
    showToast({ kind: 'problem', message: t('move.failed', { topic: date.topic, reason: words(reason) }) })
    onEnd(date)
  }
  useEffect(() => {
    if (error !== null) failed.current?.(error)
  }, [error])
  if (data === undefined) return null

  const { meeting, etag } = data
  const isRegular = regularTimesOf(date, meeting.scheduledDuration) === undefined
  const isAsked = meeting.participants.length + meeting.cohosts.length > 0 || (date.recur && isRegular)
  const move = { meeting, etag, date, times, onEnd }
  return isAsked ? <MoveDialog {...move} isSeries={date.recur && isRegular} /> : <MoveAtOnce {...move} />
}

type MoveAtOnceProps = MoveConfirmationProps & { meeting: SingleMeetingReply; etag: string }

function MoveAtOnce({ meeting, etag, date, times, onEnd }: MoveAtOnceProps) {
  const saving = useSaveMove(onEnd)
  const { originalStartTime } = date
  const save = useRef(() =>
    saving.mutate({
      meeting,
      etag,
      originalStartTime,
      times,
      before: date,
      extent: date.recur ? 'one' : 'single',
      sendUpdates: 'all',
    }),
  )
  useEffect(() => save.current(), [])
  return null
}
