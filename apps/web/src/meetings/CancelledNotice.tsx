import { Alert, Text } from '@mantine/core'
import type { SingleMeetingReply } from '@parley/contract'
import { IconCalendarX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { usePerson } from '../session/session.ts'
import { DuplicateButton } from './DuplicateButton.tsx'
import { statusOf, writeName } from './meeting-status.ts'
import { useTakesPlace } from './use-is-ahead.ts'

/** Shown when no later date of a meeting takes place any more, with the next step. */
export function CancelledNotice({ meeting }: { meeting: SingleMeetingReply }) {
  const { t } = useTranslation(['meeting', 'schedule'])
  const mayChange = statusOf(usePerson(), meeting) !== 'participant'
  const goesOn = useTakesPlace(meeting)
  return (
    <Alert color="red" mb="lg" icon={<IconCalendarX aria-hidden />} title={t('schedule:cancelled.title')}>
      {meeting.recur && <Text size="sm">{t(goesOn ? 'ended.running' : 'ended.series')}</Text>}
      <Text size="sm" mb={mayChange ? 'sm' : 0}>
        {mayChange ? t('ended.host') : t('ended.participant', { name: writeName(meeting.hostInfo) })}
      </Text>
      {mayChange && <DuplicateButton meetingId={meeting._id} label={t('ended.again')} isMain />}
    </Alert>
  )
}
