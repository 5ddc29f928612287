import { Button, Checkbox, Group, Modal, Stack } from '@mantine/core'
import { cancelMeeting } from '@parley/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '../../session/client.ts'
import { ProblemAlert } from '../../session/ProblemAlert.tsx'
import { useNow } from '../../ui/hooks/use-now.ts'
import { useReturnFocus } from '../../ui/hooks/use-return-focus.ts'
import { randomKey } from '../../ui/random-key.ts'
import { showToast } from '../../ui/toast.ts'
import { useRestoreDate } from '../occurrence/use-restore-date.ts'
import { DatesToCancel } from './DatesToCancel.tsx'
import { type Dated, datesToCancel, type Extent } from './dates-to-cancel.ts'
import { ExtentField } from './ExtentField.tsx'
import { remainingDatesQuery } from './remaining-dates-query.ts'

export type CancelMeetingDialogProps = {
  meeting: { _id: string; topic: string; recur: boolean; startTime: string; endTime: string }
  /** The version to cancel; the server refuses another one (412). */
  etag: string
  /** The start of the preselected date, when the dialog was opened from one. */
  occurrence?: string
  onClose(): void
}

const clockEveryMs = 30_000

type Cancelled = {
  /** The original start of the only or first date that is cancelled; undefined for a single meeting. */
  occurrence: string | undefined
  sendUpdates: 'all' | 'none'
  /** Nothing is left of the meeting afterwards, and it cannot be restored. */
  endsSeries: boolean
}

/** Cancel a meeting or a part of its series, after showing which dates are cancelled. */
export function CancelMeetingDialog({ meeting, etag, occurrence, onClose }: CancelMeetingDialogProps) {
  const { t } = useTranslation(['schedule', 'app'])
  useReturnFocus()
  const { _id: meetingId, topic, recur } = meeting
  const now = useNow(clockEveryMs)
  const queryClient = useQueryClient()
  const [extent, setExtent] = useState<Extent>(occurrence === undefined ? 'next' : 'one')
  const [chosen, setChosen] = useState(occurrence ?? '')
  const [notifies, setNotifies] = useState(true)
  const restoring = useRestoreDate()
  const [idempotencyKey] = useState(randomKey)
  const ahead = useQuery({ ...remainingDatesQuery(meetingId, now), enabled: recur })
  const dates: readonly Dated[] | undefined = recur ? ahead.data?.occurrences : [meeting]
  const going = recur ? dates && datesToCancel(dates, extent, chosen, now) : dates
  // Cancelling the only date that is left cancels the meeting, which cannot be undone.
  const isLast = ahead.data?.occurrences.length === 1 && !ahead.data.moreAvailable
  const isRunning = recur && extent === 'all' && dates !== undefined && going?.length !== dates.length

  const cancellation = useMutation({
    mutationFn: ({ occurrence: named, sendUpdates }: Cancelled) =>
      client.call(cancelMeeting, {
        params: { meetingId },
        query: { sendUpdates },
        body: bodyOf(recur ? extent : 'all', named),
        // A changed choice is a new request with a new idempotency key.
        idempotencyKey: `${idempotencyKey}-${extent}-${named ?? ''}-${sendUpdates}`,
        ifMatch: etag,
      }),
    onSuccess: (_, { occurrence: named, sendUpdates, endsSeries }) => {
      if (endsSeries || named === undefined) showToast({ message: t('cancel.doneAll', { topic }) })
      else {
        const undo = () => restoring.mutate({ meetingId, originalStartTime: named, sendUpdates })
        showToast({ about: named, message: t('cancel.doneOne', { topic }), undo })
      }
      onClose()
    },
    // Also after a failure: another host may have changed the meeting.
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['meetings'] }),
  })
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={t('cancel.title', { topic })}
      closeButtonProps={{ 'aria-label': t('app:close') }}
    >
      <ProblemAlert error={cancellation.error ?? ahead.error} />
      <Stack gap="md">
        {recur && (
          <ExtentField extent={extent} onExtent={setExtent} chosen={chosen} onChosen={setChosen} dates={dates ?? []} />
        )}
        <DatesToCancel
          dates={going}
          goesOn={recur && extent === 'all' && ahead.data?.moreAvailable === true}
          isRunning={isRunning}
        />
        <Checkbox
          label={t('cancel.tells')}
          checked={notifies}
          onChange={(event) => setNotifies(event.currentTarget.checked)}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            {t('cancel.keep')}
          </Button>
          <Button
            color="red"
            onClick={() =>
              cancellation.mutate({
                occurrence: going?.[0]?.originalStartTime,
                sendUpdates: notifies ? 'all' : 'none',
                endsSeries: !recur || extent === 'all' || isLast,
              })
            }
            loading={cancellation.isPending}
            disabled={going === undefined || going.length === 0}
          >
            {recur && extent !== 'all' ? t('cancel.confirmOne') : t('cancel.confirmAll')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

/** Identify the date even when it is the next one, because that may have changed in the meantime. */
const bodyOf = (extent: Extent, occurrence: string | undefined) =>
  extent === 'all' || occurrence === undefined
    ? ({ cancel: 'all' } as const)
    : ({ cancel: 'current', occurrence } as const)
