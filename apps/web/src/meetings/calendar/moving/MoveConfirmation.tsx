import { Button, Group, Paper, Stack, Text } from '@mantine/core'
import { ProblemError } from '@parley/client'
import type { SingleMeetingReply } from '@parley/contract'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFieldErrors } from '../../../session/field-errors.ts'
import { useProblemWords } from '../../../session/problem-words.ts'
import { useDates } from '../../../texts/dates.ts'
import { useReturnFocus } from '../../../ui/hooks/use-return-focus.ts'
import { Modal } from '../../../ui/Modal.tsx'
import { showToast } from '../../../ui/toast.ts'
import { GuestMessageField, messageOf } from '../../GuestMessageField.tsx'
import { type Move, type MoveChange, useMoveDate } from '../../meeting-mutations.ts'
import { conflictsQuery, datesBeforeQuery, meetingSnapshotQuery } from '../../meeting-queries.ts'
import { NotifyCheckbox } from '../../NotifyCheckbox.tsx'
import { type SeriesExtent, SeriesExtentField } from '../../SeriesExtentField.tsx'
import { regularTimesOf } from '../../times.ts'
import { useSplitsAt } from '../../use-meeting-dates.ts'
import type { CalendarDate } from '../calendar-dates.ts'
import { type MoveExtent, mayMoveSeries, moveChangeOf, type Times } from './moves.ts'

type MoveConfirmationProps = {
  date: CalendarDate
  times: Times
  /** The move is saved, refused or cancelled: the date is at these times. */
  onEnd(times: Times): void
  /** The saved move was undone: the date is at these times again. */
  onUndone(date: CalendarDate, times: Times): void
}

/**
 * Save a moved date. Ask before where more than this date could move, or where people are told by email; otherwise the
 * toast offers to undo it.
 */
export function MoveConfirmation({ date, times, onEnd, onUndone }: MoveConfirmationProps) {
  const { t } = useTranslation('occurrence')
  const words = useProblemWords()
  const { data, error } = useQuery(meetingSnapshotQuery(date.meetingId, 'moved'))
  const failed = useRef<(reason: unknown) => void>(undefined)
  failed.current = (reason) => {
    showToast({
      kind: 'problem',
      message: t(`move.failed.${kindOf(date, times)}`, { topic: date.topic, reason: words(reason) }),
    })
    onEnd(date)
  }
  useEffect(() => {
    if (error !== null) failed.current?.(error)
  }, [error])
  if (data === undefined) return null

  const { meeting, etag } = data
  const isRegular = regularTimesOf(date, meeting.scheduledDuration) === undefined
  const isAsked = meeting.participants.length + meeting.cohosts.length > 0 || (date.recur && isRegular)
  const move = { meeting, etag, date, times, onEnd, onUndone }
  return isAsked ? <MoveDialog {...move} isSeries={date.recur && isRegular} /> : <MoveAtOnce {...move} />
}

type MoveAtOnceProps = MoveConfirmationProps & { meeting: SingleMeetingReply; etag: string }

function MoveAtOnce({ meeting, etag, date, times, onEnd, onUndone }: MoveAtOnceProps) {
  const saving = useSaveMove({ date, onEnd, onUndone })
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

type MoveDialogProps = MoveAtOnceProps & {
  /** The date follows the series: others could move with it. */
  isSeries: boolean
}

/** Confirm a move: of which dates of a series, and whether people are told. */
function MoveDialog({ meeting, etag, date, times, isSeries, onEnd, onUndone }: MoveDialogProps) {
  const { t } = useTranslation(['occurrence', 'schedule', 'app'])
  useReturnFocus()
  const { range } = useDates()
  const saving = useSaveMove({ date, onEnd, onUndone })
  const [extent, setExtent] = useState<SeriesExtent>('one')
  const [notifies, setNotifies] = useState(true)
  const [message, setMessage] = useState('')
  const { originalStartTime } = date
  const write = ({ startTime, endTime }: Times) => range(startTime, endTime)
  const isForMore = isSeries && mayMoveSeries(meeting, { originalStartTime, times })
  const isSplittable = useSplitsAt(meeting, isForMore ? date : undefined)
  const { data: before } = useQuery({ ...datesBeforeQuery(meeting, originalStartTime), enabled: isForMore })
  const extents: readonly SeriesExtent[] = isSplittable ? ['one', 'following', 'all'] : ['one', 'all']
  const hasOthers = meeting.participants.length + meeting.cohosts.length > 0
  const save = () =>
    saving.mutate({
      meeting,
      etag,
      originalStartTime,
      times,
      before: date,
      extent: date.recur ? extent : 'single',
      ...(before !== undefined && { countBefore: before.count }),
      sendUpdates: notifies ? 'all' : 'none',
      ...messageOf(message, notifies && hasOthers),
    })
  return (
    <Modal
      opened
      onClose={() => onEnd(date)}
      title={t(`move.title.${kindOf(date, times)}`, { topic: date.topic })}
      closeButtonProps={{ 'aria-label': t('app:close') }}
    >
      <Stack gap="md">
        <div>
          <Text c="dimmed">{t('move.from', { times: write(date) })}</Text>
          <Text fw={600}>{t('move.to', { times: write(times) })}</Text>
        </div>
        <Overlaps meetingId={date.meetingId} times={times} />
        {isForMore && <SeriesExtentField value={extent} onChange={setExtent} extents={extents} date={write(date)} />}
        {isSeries && !isForMore && <Text size="sm">{t('move.days')}</Text>}
        {hasOthers && (
          <NotifyCheckbox
            about="change"
            checked={notifies}
            onChange={({ currentTarget }) => setNotifies(currentTarget.checked)}
          />
        )}
        {hasOthers && notifies && (
          <GuestMessageField value={message} onChange={({ currentTarget }) => setMessage(currentTarget.value)} />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={() => onEnd(date)}>
            {t('app:cancel')}
          </Button>
          <Button onClick={save} loading={saving.isPending} data-autofocus>
            {t(`move.confirm.${kindOf(date, times)}`)}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

/** The reader's other meetings at the new time. */
function Overlaps({ meetingId, times }: { meetingId: string; times: Times }) {
  const { t } = useTranslation('schedule')
  const dates = useDates()
  const { data } = useQuery(conflictsQuery(times))
  const others = data?.conflicts.filter((other) => other.meetingId !== meetingId) ?? []
  if (others.length === 0) return null
  return (
    <Paper role="status" p="sm" bg="var(--parley-caution-surface)" c="var(--parley-caution-text)" fz="sm">
      <Text size="sm" fw={500}>
        {t('dates.overlaps')}
      </Text>
      {others.map(({ meetingId: id, topic, startTime, endTime }) => (
        <div key={id + startTime}>
          <bdi>{topic}</bdi> · {dates.timeRange(startTime, endTime)}
        </div>
      ))}
    </Paper>
  )
}

/** A date that starts when it did has another length. */
const kindOf = (before: Times, times: Times) => (before.startTime === times.startTime ? 'length' : 'time')

type SavedMove = {
  meeting: SingleMeetingReply
  etag: string
  originalStartTime: string
  times: Times
  /** Where the date was before the move. */
  before: Times
  extent: MoveExtent
  countBefore?: number
  sendUpdates: 'all' | 'none'
  message?: string
}

/**
 * Save a move, and say how it went. `onEnd` gets the times at which the date is then: the former ones when the service
 * refused. The move of a single date can be undone in the toast.
 */
function useSaveMove({ date, onEnd, onUndone }: Omit<MoveConfirmationProps, 'times'>) {
  const { t } = useTranslation('occurrence')
  const { range } = useDates()
  const reasonOf = useReason()
  const showFailure = (error: unknown, { meeting: { topic }, before, times }: SavedMove) =>
    showToast({
      kind: 'problem',
      about: topic,
      message: t(`move.failed.${kindOf(before, times)}`, { topic, reason: reasonOf(error) }),
    })
  const undoing = useMoveDate(requestOf, {
    onSaved(_, { meeting: { topic }, times }) {
      onUndone(date, times)
      showToast({ about: topic, message: t('move.backAgain', { topic }) })
    },
    onError: showFailure,
  })
  return useMoveDate(requestOf, {
    onSaved(etag, move) {
      const { meeting, times, before, extent } = move
      const { topic } = meeting
      const { message: _, ...moved } = move
      const undo = () => undoing.mutate({ ...moved, etag, times: before })
      // Before the calendar has read it: the next date can be moved at once.
      onEnd(times)
      showToast({
        about: topic,
        message: t(`move.done.${kindOf(before, times)}`, { topic, times: range(times.startTime, times.endTime) }),
        ...((extent === 'one' || extent === 'single') && { undo }),
      })
    },
    onError(error, move) {
      showFailure(error, move)
      onEnd(move.before)
    },
  })
}

const requestOf = (move: SavedMove): Move => ({
  meetingId: move.meeting._id,
  originalStartTime: move.originalStartTime,
  change: withMessage(moveChangeOf(move.meeting, move), move.message),
  sendUpdates: move.sendUpdates,
  ifMatch: move.etag,
})

/** The same change with a message to the guests. */
function withMessage(change: MoveChange, message: string | undefined): MoveChange {
  if (message === undefined) return change
  switch (change.of) {
    case 'date':
      return { ...change, body: { ...change.body, message } }
    case 'meeting':
      return { ...change, body: { ...change.body, message } }
    case 'following':
      return { ...change, body: { ...change.body, message } }
  }
}

/** Why a move was refused, in one sentence. */
function useReason(): (error: unknown) => string {
  const { t } = useTranslation('occurrence')
  const words = useProblemWords()
  const fieldErrors = useFieldErrors()
  return (error) => {
    const violations = (error instanceof ProblemError && error.problem.errors) || []
    if (violations.some(({ code }) => code === 'not_between_neighbours')) return t('move.pastNeighbour')
    return Object.values(fieldErrors(error))[0] ?? words(error)
  }
}
