import { Button, Group, NativeSelect, Radio, Skeleton, Stack, Text } from '@mantine/core'
import { ProblemError } from '@parley/client'
import type { OccurrenceReply } from '@parley/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../../session/ProblemAlert.tsx'
import { useProblemWords } from '../../session/problem-words.ts'
import { useDates } from '../../texts/dates.ts'
import { useIsShown } from '../../ui/hooks/use-is-shown.ts'
import { useNow } from '../../ui/hooks/use-now.ts'
import { useReturnFocus } from '../../ui/hooks/use-return-focus.ts'
import { focusFirstInvalid } from '../../ui/keyboard/focus-first-invalid.ts'
import { Modal } from '../../ui/Modal.tsx'
import { randomKey } from '../../ui/random-key.ts'
import { showToast } from '../../ui/toast.ts'
import { GuestMessageField, messageOf } from '../GuestMessageField.tsx'
import { type Cancellation, useCancelMeeting } from '../meeting-mutations.ts'
import { meetingQuery, openedDateQuery, peopleInsideQuery, remainingDatesQuery } from '../meeting-queries.ts'
import { NotifyCheckbox } from '../NotifyCheckbox.tsx'
import { type SeriesExtent, SeriesExtentField } from '../SeriesExtentField.tsx'
import classes from './CancelMeetingDialog.module.css'
import { type Dated, datesToCancel, extentsToCancel, isRoomOpen, isWhole } from './dates-to-cancel.ts'
import { useUndo } from './use-undo.ts'

export type CancelMeetingDialogProps = {
  meeting: {
    _id: string
    topic: string
    recur: boolean
    startTime: string
    endTime: string
    participants: readonly unknown[]
    cohosts: readonly unknown[]
  }
  /** The version to cancel; the server refuses another one (412). */
  etag: string
  /** The date that the dialog was opened from; otherwise, the host chooses one. */
  occurrence?: OccurrenceReply
  onClose(): void
}

const clockEveryMs = 30_000

type Choice = {
  extent: SeriesExtent
  /** The only or first date of a series that is cancelled. */
  first: Dated | undefined
}

/** Cancel a meeting or a part of its series, after showing which dates are cancelled. */
export function CancelMeetingDialog({ meeting, etag, occurrence, onClose }: CancelMeetingDialogProps) {
  const { t } = useTranslation(['schedule', 'app'])
  const dateWords = useDates()
  useReturnFocus()
  const { _id: meetingId, topic, recur, participants, cohosts } = meeting
  const hasGuests = participants.length + cohosts.length > 0
  const now = useNow(clockEveryMs)
  const queryClient = useQueryClient()
  const [wantedExtent, setExtent] = useState<SeriesExtent>('one')
  const [selected, setSelected] = useState<string>()
  const [notifies, setNotifies] = useState(true)
  const [message, setMessage] = useState('')
  const [wantsEnd, setWantsEnd] = useState(false)
  // None for administrators, who may not see who is inside.
  const { data: people = 0 } = useQuery(peopleInsideQuery(meetingId))
  const words = useProblemWords()
  const isShown = useIsShown()
  const undo = useUndo()
  const [idempotencyKey] = useState(randomKey)
  const { dates, error } = useCancellableDates(meeting, { occurrence, selected }, now)
  const write = ({ startTime, endTime }: Dated) => dateWords.range(startTime, endTime)

  const chosen = dates?.chosen
  const series = dates && chosen && { ahead: dates.ahead, chosen }
  const extents = series === undefined ? [wantedExtent] : extentsToCancel(series, now)
  const extent = extents.includes(wantedExtent) ? wantedExtent : 'one'
  const going = recur ? dates && (series ? datesToCancel(series, extent, now) : []) : [meeting]
  const isChoosing = recur && chosen === undefined && dates !== undefined && dates.choices.length > 0
  const isRunning = recur && extent === 'all' && dates !== undefined && going?.length !== dates.ahead.length

  // A single meeting is entered by its hosts at any time.
  const isCalled = people > 0 && going !== undefined && (!recur || isRoomOpen(going, now))

  const cancellation = useCancelMeeting<Cancellation & Choice>({
    onSaved: async (_, { extent: cancelled, first, sendUpdates }) => {
      const waits = sendUpdates === 'all' ? ` ${t('cancel.waits')}` : ''
      const offer = (message: string, date?: { originalStartTime: string }) =>
        undo.offer({ meetingId, sendUpdates, message: message + waits, ...date })
      // Cancelling its only date cancels a meeting that was never held.
      if (first === undefined || (cancelled === 'one' && (await isCancelledNow())))
        offer(t('cancel.doneAll', { topic }))
      else if (cancelled === 'following') {
        const date = dateWords.date(first.startTime)
        offer(t('cancel.doneFollowing', { topic, date }))
      } else offer(t('cancel.doneOne', { topic }), { originalStartTime: first.originalStartTime })
      onClose()
    },
    onError: (problem, _cancelled, refreshed) => {
      focusFirstInvalid()
      void showToastWhenGone(problem, refreshed)
    },
  })
  const isCancelledNow = () =>
    queryClient.fetchQuery({ ...meetingQuery(meetingId), staleTime: 0 }).then(
      (read) => read.meeting.status === 'cancelled',
      () => true,
    )
  /** The dialog of a date that another host has cancelled is gone, and its problem with it. */
  const showToastWhenGone = async (problem: unknown, refreshed: Promise<void>) => {
    await refreshed
    if (problem instanceof ProblemError && !(await isShown())) showToast({ kind: 'problem', message: words(problem) })
  }
  const cancel = () => {
    const isAll = !recur || (series !== undefined && isWhole(series, extent))
    const choice: Choice = { extent: isAll ? 'all' : extent, first: isAll ? undefined : chosen }
    const sendUpdates = notifies ? 'all' : 'none'
    const endCall = isCalled && wantsEnd
    const written = messageOf(message, notifies && hasGuests)
    cancellation.mutate({
      ...choice,
      meetingId,
      body: { ...bodyOf(choice), ...(endCall && { endCall }), ...written },
      sendUpdates,
      ifMatch: etag,
      // A changed choice is a new request with a new idempotency key.
      idempotencyKey: [
        idempotencyKey,
        choice.extent,
        choice.first?.originalStartTime,
        sendUpdates,
        endCall,
        written.message?.length,
      ].join('-'),
    })
  }
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={t('cancel.title', { topic })}
      closeButtonProps={{ 'aria-label': t('app:close') }}
    >
      <ProblemAlert error={cancellation.error ?? error} />
      <Stack gap="md">
        {dates !== undefined && (
          <>
            <SeriesExtentField
              value={extent}
              onChange={setExtent}
              extents={extents}
              date={occurrence && write(occurrence)}
              allLabel={t('cancel.allAhead')}
            />
            {occurrence === undefined && extent !== 'all' && (
              <NativeSelect
                label={t('cancel.date')}
                value={chosen?.originalStartTime ?? ''}
                onChange={({ currentTarget }) => setSelected(currentTarget.value)}
                data={[
                  ...(chosen === undefined ? [{ value: '', label: '', disabled: true }] : []),
                  ...dates.choices.map((one) => ({ value: one.originalStartTime, label: write(one) })),
                ]}
              />
            )}
          </>
        )}
        {!isChoosing && (
          <DatesToCancel
            dates={going}
            goesOn={recur && extent !== 'one' && dates?.moreAvailable === true}
            isRunning={isRunning}
          />
        )}
        {isCalled && <RunningCall people={people} endsCall={wantsEnd} onChange={setWantsEnd} />}
        {hasGuests && (
          <NotifyCheckbox
            about="cancellation"
            checked={notifies}
            onChange={(event) => setNotifies(event.currentTarget.checked)}
          />
        )}
        {notifies && hasGuests && (
          <GuestMessageField value={message} onChange={({ currentTarget }) => setMessage(currentTarget.value)} />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            {t('cancel.keep')}
          </Button>
          <Button
            color="red"
            onClick={cancel}
            loading={cancellation.isPending}
            disabled={going === undefined || going.length === 0}
          >
            {t(recur ? confirmTexts[extent] : 'cancel.confirmAll')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

const confirmTexts = {
  one: 'cancel.confirmOne',
  following: 'cancel.confirmFollowing',
  all: 'cancel.confirmAll',
} as const

/** Identify the date even when it is the next one, because that may have changed in the meantime. */
function bodyOf({ extent, first }: Choice) {
  if (extent === 'all' || first === undefined) return { cancel: 'all' } as const
  const cancel = extent === 'one' ? 'current' : 'following'
  return { cancel, occurrence: first.originalStartTime } as const
}

type Selection = {
  /** The date that the dialog was opened from. */
  occurrence: OccurrenceReply | undefined
  /** The original start of the date that the host has selected. */
  selected: string | undefined
}

/**
 * The dates of a series that can be cancelled. Chosen is the selected date, or else the one that the dialog was opened
 * from, or the page shows, or the next one; none where the selected date is gone.
 */
function useCancellableDates(
  { _id: meetingId, recur }: { _id: string; recur: boolean },
  { occurrence, selected }: Selection,
  now: Date,
) {
  const { date = '' } = useSearch({ strict: false })
  const listed = useQuery({ ...remainingDatesQuery(meetingId, now), enabled: recur })
  const opened = useQuery({
    ...openedDateQuery(meetingId, date),
    enabled: recur && occurrence === undefined && date !== '',
  })
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

type DatesToCancelProps = {
  /** Undefined while loading. */
  dates: readonly { startTime: string; endTime: string }[] | undefined
  /** More dates follow that are cancelled as well. */
  goesOn: boolean
  /** A date that has begun is not cancelled. */
  isRunning: boolean
}

/** The dates that a cancellation removes. */
function DatesToCancel({ dates, goesOn, isRunning }: DatesToCancelProps) {
  const { t } = useTranslation('schedule')
  const dateWords = useDates()
  if (dates === undefined) {
    return (
      <Stack gap="xs" aria-busy="true">
        <Skeleton h={24} w="50%" />
        <Skeleton h={24} />
      </Stack>
    )
  }
  return (
    <div className={classes.going} aria-live="polite">
      {dates.length === 0 ? (
        <Text>{t('cancel.nothingGoes')}</Text>
      ) : (
        <>
          <Text fw={600} mb={4}>
            {goesOn ? t('cancel.allGo') : t('cancel.goes', { count: dates.length })}
          </Text>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keys must reach a list that scrolls (WCAG 2.1.1) */}
          <ul className={classes.dates} tabIndex={0} aria-label={t('cancel.dates')}>
            {dates.map(({ startTime, endTime }) => (
              <li key={startTime}>
                <Text>{dateWords.range(startTime, endTime)}</Text>
              </li>
            ))}
            {goesOn && <li>{t('cancel.andLater')}</li>}
          </ul>
        </>
      )}
      {isRunning && (
        <Text c="dimmed" size="sm" mt="xs">
          {t('cancel.running')}
        </Text>
      )}
    </div>
  )
}

type RunningCallProps = { people: number; endsCall: boolean; onChange(endsCall: boolean): void }

/** The choice whether the call in progress is ended with its meeting. */
function RunningCall({ people, endsCall, onChange }: RunningCallProps) {
  const { t } = useTranslation('schedule')
  return (
    <Radio.Group
      label={t('cancel.inside', { count: people })}
      value={endsCall ? 'end' : 'keep'}
      onChange={(choice) => onChange(choice === 'end')}
    >
      <Stack gap="xs" mt="xs">
        <Radio value="keep" label={t('cancel.keepCall')} description={t('cancel.keepCallHint')} />
        <Radio value="end" label={t('cancel.endCall')} description={t('cancel.endCallHint')} />
      </Stack>
    </Radio.Group>
  )
}
