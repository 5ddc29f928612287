import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { datesIn, useDates } from '../../texts/dates.ts'
import { type MeetingDraft, startOf } from './meeting-draft.ts'
import { isKnownZone, isSkippedByClock } from './wall-time.ts'

/** The first date in words, in the meeting's time zone, and in the reader's where the local times differ. */
export function FirstDateInWords({ draft, zoneId }: { draft: MeetingDraft; zoneId: string }) {
  const { t, i18n } = useTranslation('schedule')
  const here = useDates()
  const startsAt = startOf(draft, zoneId)
  if (startsAt === undefined || !isKnownZone(zoneId)) return <Text c="dimmed">{t('when.unclear')}</Text>
  const endsAt = new Date(startsAt.getTime() + draft.durationMs)
  const there = datesIn(i18n.language, zoneId)
  const span = there.range(startsAt, endsAt)
  const ownSpan = here.range(startsAt, endsAt)
  return (
    <>
      <Text>{t('when.there', { span, zone: there.zone(startsAt) })}</Text>
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
