import { Button, Text } from '@mantine/core'
import type { SingleMeetingReply } from '@parley/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../../session/ProblemAlert.tsx'
import { useProblemWords } from '../../session/problem-words.ts'
import { usePerson } from '../../session/session.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { useNow } from '../../ui/hooks/use-now.ts'
import { showToast } from '../../ui/toast.ts'
import { JoinButton } from '../MeetingButtons.tsx'
import { useAddMeeting, useBlockSender, useRemoveAddedMeeting, useUnblockSender } from '../meeting-mutations.ts'
import { meetingKeys, nextDatesQuery, openedDateQuery } from '../meeting-queries.ts'
import { isAddedByLink, isForAdministration, statusOf, writeName } from '../meeting-status.ts'
import { useSplitsAt } from '../use-meeting-dates.ts'
import type { CancelMeetingDialogProps } from './CancelMeetingDialog.tsx'

/** Join for everyone; edit and cancel for hosts; block for invited people. */
export function MeetingActions({ meeting, etag }: { meeting: SingleMeetingReply; etag: string }) {
  const { t } = useTranslation('meeting')
  const person = usePerson()
  const mayChange = statusOf(person, meeting) !== 'participant'
  const isAdded = isAddedByLink(person, meeting)
  const { _id: meetingId, svcMeetId, pin, topic } = meeting
  if (isForAdministration(meeting)) return null
  return (
    <>
      <JoinButton code={svcMeetId} pin={pin} topic={topic} starts={mayChange} />
      {mayChange && !meeting.recur && <EditButton meetingId={meetingId} />}
      {mayChange && meeting.recur && <EditSeriesButton meeting={meeting} etag={etag} />}
      {mayChange && <DuplicateButton meetingId={meetingId} label={t('duplicate')} />}
      {isAdded && <RemoveAddedButton meeting={meeting} />}
      {!mayChange && !isAdded && <BlockSenderButton meeting={meeting} />}
      {mayChange && <CancelMeetingButton meeting={meeting} etag={etag} />}
    </>
  )
}

const EditSeriesDialog = lazy(async () => ({ default: (await import('./DateDialogs.tsx')).EditSeriesDialog }))
const ChangeDateDialog = lazy(async () => ({ default: (await import('./DateDialogs.tsx')).ChangeDateDialog }))

const clockEveryMs = 60_000

/**
 * Edit a series: ask whether to change the opened date, or the next one, with all following ones or alone, or the whole
 * series. Where no such date is left, edit the whole series.
 */
function EditSeriesButton({ meeting, etag }: { meeting: SingleMeetingReply; etag: string }) {
  const { t } = useTranslation('meeting')
  const now = useNow(clockEveryMs)
  const { date = '' } = useSearch({ strict: false })
  const { _id: meetingId } = meeting
  const { data: opened } = useQuery({ ...openedDateQuery(meetingId, date), enabled: date !== '' })
  const { data: dates } = useQuery(nextDatesQuery(meetingId))
  const button = useRef<HTMLButtonElement>(null)
  const [dialog, setDialog] = useState<'ask' | 'change'>()
  const candidates = [...(opened ? [opened] : []), ...(dates?.active ?? [])]
  const occurrence = candidates.find(({ status, endTime }) => status !== 'cancelled' && new Date(endTime) > now)
  const isSplittable = useSplitsAt(meeting, occurrence)
  if (occurrence === undefined) return <EditButton meetingId={meetingId} />
  const close = () => {
    setDialog(undefined)
    // The second dialog was opened from the first one, which is gone.
    button.current?.focus()
  }
  return (
    <>
      <Button ref={button} variant="default" onClick={() => setDialog('ask')}>
        {t('edit')}
      </Button>
      <Suspense fallback={null}>
        {dialog === 'ask' && (
          <EditSeriesDialog
            meeting={meeting}
            occurrence={occurrence}
            isSplittable={isSplittable}
            onThisDate={() => setDialog('change')}
            onClose={close}
          />
        )}
        {dialog === 'change' && (
          <ChangeDateDialog meeting={meeting} etag={etag} occurrence={occurrence} onClose={close} />
        )}
      </Suspense>
    </>
  )
}

/** Open the form of a meeting. */
function EditButton({ meetingId }: { meetingId: string }) {
  const { t } = useTranslation('meeting')
  return (
    <Button
      variant="default"
      renderRoot={(props) => <Link to="/meetings/$meetingId/edit" params={{ meetingId }} {...props} />}
    >
      {t('edit')}
    </Button>
  )
}

type DuplicateButtonProps = { meetingId: string; label: string; isMain?: boolean }

/** Open the form of a new meeting, filled with a copy of this one. */
export function DuplicateButton({ meetingId, label, isMain = false }: DuplicateButtonProps) {
  return (
    <Button
      variant={isMain ? 'filled' : 'default'}
      renderRoot={(props) => <Link to="/meetings/new" search={{ copy: meetingId }} {...props} />}
    >
      {label}
    </Button>
  )
}

/** Remove a meeting that was added by its link from the list. Its PIN adds it again. */
function RemoveAddedButton({ meeting: { _id, svcMeetId, pin } }: { meeting: SingleMeetingReply }) {
  const { t } = useTranslation('meeting')
  const words = useProblemWords()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const showError = (error: unknown) => showToast({ message: words(error), kind: 'problem' })
  const addingAgain = useAddMeeting({ onError: showError })
  const removing = useRemoveAddedMeeting({
    onError: showError,
    onSaved: async () => {
      await navigate({ to: '/meetings' })
      queryClient.removeQueries({ queryKey: meetingKeys.one(_id) })
    },
    onRefreshed: () => showToast({ message: t('removed'), undo: () => addingAgain.mutate({ svcMeetId, pin }) }),
  })
  return (
    <Button variant="default" loading={removing.isPending} onClick={() => removing.mutate({ meetingId: _id })}>
      {t('remove')}
    </Button>
  )
}

/** Block the host of an invitation, after saying what that does. */
function BlockSenderButton({ meeting: { _id, hostInfo } }: { meeting: SingleMeetingReply }) {
  const { t } = useTranslation('meeting')
  const words = useProblemWords()
  const navigate = useNavigate()
  const [isConfirming, setConfirming] = useState(false)
  const name = writeName(hostInfo)
  const unblocking = useUnblockSender({ onError: (error) => showToast({ message: words(error), kind: 'problem' }) })
  const blocking = useBlockSender({
    onSaved: async () => {
      setConfirming(false)
      await navigate({ to: '/meetings' })
    },
    onRefreshed: ({ userId }) =>
      showToast({ message: t('block.done', { name }), undo: () => unblocking.mutate({ userId }) }),
  })
  return (
    <>
      <Button variant="default" onClick={() => setConfirming(true)}>
        {t('block.open')}
      </Button>
      <ConfirmDialog
        opened={isConfirming}
        dangerous
        title={t('block.ask', { name })}
        confirm={t('block.confirm')}
        busy={blocking.isPending}
        onConfirm={() => blocking.mutate({ meetingId: _id })}
        onClose={() => setConfirming(false)}
      >
        <ProblemAlert error={blocking.error} />
        <Text>{t('block.explanation', { name })}</Text>
      </ConfirmDialog>
    </>
  )
}

const CancelMeetingDialog = lazy(async () => ({
  default: (await import('./CancelMeetingDialog.tsx')).CancelMeetingDialog,
}))

/** Open the dialog that cancels a meeting. Its code is fetched on use. */
function CancelMeetingButton(props: Omit<CancelMeetingDialogProps, 'onClose'>) {
  const { t } = useTranslation('schedule')
  const [isOpened, setOpened] = useState(false)
  return (
    <>
      <Button variant="default" c="var(--parley-danger)" onClick={() => setOpened(true)}>
        {t('cancel.open')}
      </Button>
      <Suspense fallback={null}>
        {isOpened && <CancelMeetingDialog {...props} onClose={() => setOpened(false)} />}
      </Suspense>
    </>
  )
}
