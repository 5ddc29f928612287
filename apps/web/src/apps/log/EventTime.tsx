import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ownTimeZone, writeDay, writeTime } from '../../texts/dates.ts'

/** An event's time in the reader's time zone. */
export function EventTime({ at }: { at: string }) {
  const { i18n } = useTranslation()
  const dateFormat = { language: i18n.language, timeZone: ownTimeZone() }
  return (
    <Text component="time" dateTime={at} size="sm" c="dimmed">
      {writeDay(at, dateFormat)}, {writeTime(at, dateFormat)}
    </Text>
  )
}
