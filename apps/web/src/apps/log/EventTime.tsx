import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ownTimeZone, writeDay, writeTime } from '../../texts/dates.ts'

/** An event's time in the reader's time zone. */
export function EventTime({ at }: { at: string }) {
  const dateFormat = useDateFormat()
  return (
    <Text component="time" dateTime={at} size="sm" c="dimmed">
      {writeDay(at, dateFormat)}, {writeTime(at, dateFormat)}
    </Text>
  )
}

type RepeatedTimeProps = { occurrences: number; first: string }

/** How many times an event has happened since its first time within the hour. */
export function RepeatedTime({ occurrences, first }: RepeatedTimeProps) {
  const { t } = useTranslation('apps')
  const dateFormat = useDateFormat()
  return (
    <Text size="sm" c="dimmed">
      {t('log.repeated', { occurrences, first: writeTime(first, dateFormat) })}
    </Text>
  )
}

function useDateFormat() {
  const { i18n } = useTranslation()
  return { language: i18n.language, timeZone: ownTimeZone() }
}
