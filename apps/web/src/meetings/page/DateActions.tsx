import { ActionIcon, Button, Menu } from '@mantine/core'
import type { OccurrenceReply, SingleMeetingReply } from '@parley/contract'
import { IconDotsVertical } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { usePerson } from '../../session/session.ts'
import { useDates } from '../../texts/dates.ts'
import { useNow } from '../../ui/hooks/use-now.ts'
import { statusOf } from '../meeting-status.ts'
import { useSplitsAt } from '../use-meeting-dates.ts'
import { useTakeBack, useUndoOfDate } from './use-undo.ts'

const clockEveryMs = 60_000

type DateActionsProps = { meeting: SingleMeetingReply; etag: string; occurrence: OccurrenceReply }

/** What a host can do with one date of a series; nothing with one that is over, or of a cancelled series. */
export function DateActions({ meeting, etag, occurrence }: DateActionsProps) {
  const now = useNow(clockEveryMs)
  const mayChange = statusOf(usePerson(), meeting) !== 'participant' && meeting.status === 'active'
  if (!mayChange || new Date(occurrence.endTime) <= now) return null
  return occurrence.status === 'cancelled' ? (
    <RestoreDateButton meetingId={meeting._id} occurrence={occurrence} />
  ) : (
    <DateMenu meeting={meeting} etag={etag} occurrence={occurrence} />
  )
}

const CancelMeetingDialog = lazy(async () => ({
  default: (await import('./CancelMeetingDialog.tsx')).CancelMeetingDialog,
}))
const ChangeDateDialog = lazy(async () => ({ default: (await import('./DateDialogs.tsx')).ChangeDateDialog }))

type DateMenuProps = { meeting: SingleMeetingReply; etag: string; occurrence: OccurrenceReply }

/** What a host can do with one date of a series that takes place. */
function DateMenu({ meeting, etag, occurrence }: DateMenuProps) {
  const { t } = useTranslation('occurrence')
  const dates = useDates()
  const [dialog, setDialog] = useState<'change' | 'cancel'>()
  const takingBack = useTakeBack()
  const target = useRef<HTMLButtonElement>(null)
  const { startTime, endTime, originalStartTime, status } = occurrence
  const date = dates.range(startTime, endTime)
  const close = () => {
    setDialog(undefined)
    // The dialog was opened from an entry of the menu, which is gone.
    target.current?.focus()
  }
  return (
    <>
      <Menu position="bottom-end" withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <ActionIcon
            ref={target}
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={t('menu', { date })}
            loading={takingBack.isPending}
          >
            <IconDotsVertical size={20} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setDialog('change')}>{t('change')}</Menu.Item>
          <SplitMenuItem meeting={meeting} occurrence={occurrence} label={t('changeFollowing')} />
          {status === 'changed' && (
            <Menu.Item onClick={() => takingBack.mutate({ meetingId: meeting._id, originalStartTime, occurrence })}>
              {t('takeBack')}
            </Menu.Item>
          )}
          <Menu.Item c="var(--parley-danger)" onClick={() => setDialog('cancel')}>
            {t('cancel')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Suspense fallback={null}>
        {dialog === 'change' && (
          <ChangeDateDialog meeting={meeting} etag={etag} occurrence={occurrence} onClose={close} />
        )}
        {dialog === 'cancel' && (
          <CancelMeetingDialog meeting={meeting} etag={etag} occurrence={occurrence} onClose={close} />
        )}
      </Suspense>
    </>
  )
}

type SplitMenuItemProps = { meeting: SingleMeetingReply; occurrence: OccurrenceReply; label: string }

/**
 * Open the form of this and all following dates. Disabled for the first date, from which the whole series is edited.
 */
function SplitMenuItem({ meeting, occurrence, label }: SplitMenuItemProps) {
  const navigate = useNavigate()
  const isSplittable = useSplitsAt(meeting, occurrence)
  const search = { from: occurrence.originalStartTime }
  const edit = { to: '/meetings/$meetingId/edit', params: { meetingId: meeting._id }, search } as const
  return (
    <Menu.Item disabled={!isSplittable} onClick={() => void navigate(edit)}>
      {label}
    </Menu.Item>
  )
}

/** Let a cancelled date take place again. Those invited are told, as they were of the cancellation. */
function RestoreDateButton({ meetingId, occurrence }: { meetingId: string; occurrence: OccurrenceReply }) {
  const { t } = useTranslation('occurrence')
  const dates = useDates()
  const restoring = useUndoOfDate()
  const { startTime, endTime, originalStartTime } = occurrence
  const date = dates.range(startTime, endTime)
  return (
    <Button
      variant="default"
      size="compact-sm"
      aria-label={t('restoreDate', { date })}
      loading={restoring.isPending}
      onClick={() => restoring.mutate({ meetingId, originalStartTime, sendUpdates: 'all' })}
    >
      {t('restore')}
    </Button>
  )
}
