import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ownTimeZone, writeSpan, writeZone } from '../../texts/dates.ts'
import { type MeetingDraft, startOf } from './meeting-draft.ts'
import { isKnownZone, isSkippedByClock } from './wall-time.ts'

/** The first date in words, in the meeting's time zone, and in the reader's where the local times differ. */
export function InWords({ draft, zoneId }: { draft: MeetingDraft; zoneId: string }) {
  const { t, i18n } = useTranslation('schedule')
  const startsAt = startOf(draft, zoneId)
  if (startsAt === undefined || !isKnownZone(zoneId)) return <Text c="dimmed">{t('when.unclear')}</Text>
  const endsAt = new Date(startsAt.getTime() + draft.durationMs)
  const there = { language: i18n.language, timeZone: zoneId }
  const span = writeSpan(startsAt, endsAt, there)
  const ownSpan = writeSpan(startsAt, endsAt, { ...there, timeZone: ownTimeZone() })
  return (
    <>
      <Text>{t('when.there', { span, zone: writeZone(startsAt, there) })}</Text>
      {ownSpan !== span && (
        <Text c="dimmed" size="sm">
          {t('when.here', { span: ownSpan })}
        </Text>
      )}
      {isSkippedByClock(draft, zoneId) && (
        <Text size="sm" mt="xs">
          {t('when.skippedByClock')}
        </Text>
      )}
    </>
  )
}
