import { Button } from '@mantine/core'
import type { OccurrenceReply } from '@parley/contract'
import { useTranslation } from 'react-i18next'
import { ownTimeZone, writeSpan } from '../../texts/dates.ts'
import { useRestoreDate } from './use-restore-date.ts'

/** Let a cancelled date take place again. Those invited are told, as they were of the cancellation. */
export function RestoreDateButton({ meetingId, occurrence }: { meetingId: string; occurrence: OccurrenceReply }) {
  const { t, i18n } = useTranslation('occurrence')
  const restoring = useRestoreDate()
  const { startTime, endTime, originalStartTime } = occurrence
  const date = writeSpan(startTime, endTime, { language: i18n.language, timeZone: ownTimeZone() })
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
