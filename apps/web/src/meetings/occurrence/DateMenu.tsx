import { ActionIcon, Menu } from '@mantine/core'
import type { OccurrenceReply, SingleMeetingReply } from '@parley/contract'
import { IconDotsVertical } from '@tabler/icons-react'
import { lazy, Suspense, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ownTimeZone, writeSpan } from '../../texts/dates.ts'
import { SplitMenuItem } from '../split/SplitMenuItem.tsx'
import { useTakeBack } from './use-take-back.ts'

const CancelMeetingDialog = lazy(async () => ({
  default: (await import('../cancel/CancelMeetingDialog.tsx')).CancelMeetingDialog,
}))
const ChangeDateDialog = lazy(async () => ({ default: (await import('./date-dialogs.ts')).ChangeDateDialog }))

type DateMenuProps = { meeting: SingleMeetingReply; etag: string; occurrence: OccurrenceReply }

/** What a host can do with one date of a series that takes place. */
export function DateMenu({ meeting, etag, occurrence }: DateMenuProps) {
  const { t, i18n } = useTranslation('occurrence')
  const [dialog, setDialog] = useState<'change' | 'cancel'>()
  const takingBack = useTakeBack()
  const target = useRef<HTMLButtonElement>(null)
  const { startTime, endTime, status } = occurrence
  const date = writeSpan(startTime, endTime, { language: i18n.language, timeZone: ownTimeZone() })
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
            <Menu.Item onClick={() => takingBack.mutate({ meetingId: meeting._id, occurrence })}>
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
