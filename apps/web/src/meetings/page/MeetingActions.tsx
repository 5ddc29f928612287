import { ActionIcon, Button, Menu, Text } from '@mantine/core'
import type { SingleMeetingReply } from '@parley/contract'
import { IconDots } from '@tabler/icons-react'
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
import { meetingKeys } from '../meeting-keys.ts'
import { useAddMeeting, useBlockSender, useRemoveAddedMeeting, useUnblockSender } from '../meeting-mutations.ts'
import { nextDatesQuery, openedDateQuery } from '../meeting-queries.ts'
import { isAddedByLink, isForAdministration, statusOf, writeName } from '../meeting-status.ts'
import { useIsOver, useSplitsAt } from '../use-meeting-dates.ts'
import classes from './MeetingPage.module.css'

/** Join and, for hosts, edit; the rest is in a menu. What is over can still be entered, but that stands out no more. */
export function MeetingActions({ meeting, etag }: { meeting: SingleMeetingReply; etag: string }) {
  const mayChange = statusOf(usePerson(), meeting) !== 'participant'
  const isOver = useIsOver(meeting)
  const { _id: meetingId, svcMeetId, pin, topic } = meeting
  if (isForAdministration(meeting)) return null
  return (
    <>
      <JoinButton code={svcMeetId} pin={pin} topic={topic} starts={mayChange} quiet={isOver} />
      {mayChange && !meeting.recur && <EditButton meetingId={meetingId} />}
      {mayChange && meeting.recur && <EditSeriesButton meeting={meeting} etag={etag} />}
      <MoreActions meeting={meeting} etag={etag} />
    </>
  )
}

/**
 * What is done rarely: hosts duplicate, save a template, and cancel what is not over; others remove the meeting from
 * their list or block its host.
 */
function MoreActions({ meeting, etag }: { meeting: SingleMeetingReply; etag: string }) {
  const { t } = useTranslation(['meeting', 'schedule'])
  const person = usePerson()
  const mayChange = statusOf(person, meeting) !== 'participant'
  const isAdded = isAddedByLink(person, meeting)
  const isOver = useIsOver(meeting)
  const remove = useRemoveAdded(meeting)
  const button = useRef<HTMLButtonElement>(null)
  const [dialog, setDialog] = useState<'cancel' | 'block' | 'template'>()
  const close = () => {
    setDialog(undefined)
    // The dialog was opened from an entry of the menu, which is gone.
    button.current?.focus()
  }
  return (
    <>
      <Menu position="bottom-end" withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <ActionIcon
            ref={button}
            className={classes.more}
            variant="default"
            size="input-sm"
            aria-label={t('more')}
            loading={remove.isPending}
          >
            <IconDots size={20} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {mayChange && (
            <Menu.Item renderRoot={(props) => <Link to="/meetings/new" search={{ copy: meeting._id }} {...props} />}>
              {t('duplicate')}
            </Menu.Item>
          )}
          {mayChange && <Menu.Item onClick={() => setDialog('template')}>{t('schedule:templates.save')}</Menu.Item>}
          {mayChange && !isOver && (
            <Menu.Item c="var(--parley-danger)" onClick={() => setDialog('cancel')}>
              {t('schedule:cancel.open')}
            </Menu.Item>
          )}
          {isAdded && <Menu.Item onClick={() => remove.mutate({ meetingId: meeting._id })}>{t('remove')}</Menu.Item>}
          {!mayChange && !isAdded && <Menu.Item onClick={() => setDialog('block')}>{t('block.open')}</Menu.Item>}
        </Menu.Dropdown>
      </Menu>
      <BlockSenderDialog meeting={meeting} opened={dialog === 'block'} onClose={close} />
      <Suspense fallback={null}>
        {dialog === 'template' && <SaveTemplateDialog meeting={meeting} onClose={close} />}
        {dialog === 'cancel' && <CancelMeetingDialog meeting={meeting} etag={etag} onClose={close} />}
      </Suspense>
    </>
  )
}

const CancelMeetingDialog = lazy(async () => ({
  default: (await import('./CancelMeetingDialog.tsx')).CancelMeetingDialog,
}))
const SaveTemplateDialog = lazy(async () => ({
  default: (await import('../templates/TemplateMenu.tsx')).SaveMeetingDialog,
}))
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

type DuplicateButtonProps = { meetingId: string; label: string }

/** Open the form of a new meeting, filled with a copy of this one. */
export function DuplicateButton({ meetingId, label }: DuplicateButtonProps) {
  return (
    <Button
      variant="default"
      renderRoot={(props) => <Link to="/meetings/new" search={{ copy: meetingId }} {...props} />}
    >
      {label}
    </Button>
  )
}

/** Remove a meeting that was added by its link from the list. Its PIN adds it again. */
function useRemoveAdded({ _id, svcMeetId, pin }: SingleMeetingReply) {
  const { t } = useTranslation('meeting')
  const words = useProblemWords()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const showError = (error: unknown) => showToast({ message: words(error), kind: 'problem' })
  const addingAgain = useAddMeeting({ onError: showError })
  return useRemoveAddedMeeting({
    onError: showError,
    onSaved: async () => {
      await navigate({ to: '/meetings' })
      queryClient.removeQueries({ queryKey: meetingKeys.one(_id) })
    },
    onRefreshed: () => showToast({ message: t('removed'), undo: () => addingAgain.mutate({ svcMeetId, pin }) }),
  })
}

type BlockSenderDialogProps = { meeting: SingleMeetingReply; opened: boolean; onClose(): void }

/** Block the host of an invitation, after saying what that does. */
function BlockSenderDialog({ meeting: { _id, hostInfo }, opened, onClose }: BlockSenderDialogProps) {
  const { t } = useTranslation('meeting')
  const words = useProblemWords()
  const navigate = useNavigate()
  const name = writeName(hostInfo)
  const unblocking = useUnblockSender({ onError: (error) => showToast({ message: words(error), kind: 'problem' }) })
  const blocking = useBlockSender({
    onSaved: async () => {
      onClose()
      await navigate({ to: '/meetings' })
    },
    onRefreshed: ({ userId }) =>
      showToast({ message: t('block.done', { name }), undo: () => unblocking.mutate({ userId }) }),
  })
  return (
    <ConfirmDialog
      opened={opened}
      dangerous
      title={t('block.ask', { name })}
      confirm={t('block.confirm')}
      busy={blocking.isPending}
      onConfirm={() => blocking.mutate({ meetingId: _id })}
      onClose={onClose}
    >
      <ProblemAlert error={blocking.error} />
      <Text>{t('block.explanation', { name })}</Text>
    </ConfirmDialog>
  )
}
