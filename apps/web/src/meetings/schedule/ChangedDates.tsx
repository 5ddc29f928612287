import { Alert, Text } from '@mantine/core'
import type { previewMeeting, ReplyOf } from '@parley/contract'
import { IconCalendarEvent } from '@tabler/icons-react'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { writeMoment } from '../../texts/dates.ts'

/** More dates than this are not read at a glance. */
const maxNamedDates = 3

/** The effect of an edit on announced dates: which are restored, which are removed. */
export function ChangedDates({ preview }: { preview: ReplyOf<typeof previewMeeting> }) {
  const { t, i18n } = useTranslation('schedule')
  const { restoredOccurrences, removedOccurrences, droppedCancellations, timeZoneIana } = preview
  const dateFormat = { language: i18n.language, timeZone: timeZoneIana }
  const named = (dates: readonly { startTime: string; topic?: string }[]) => (
    <>
      {dates.slice(0, maxNamedDates).map(({ startTime, topic }, index) => (
        <Fragment key={startTime}>
          {index > 0 && '; '}
          {writeMoment(startTime, dateFormat)}
          {topic !== undefined && (
            <>
              {' '}
              (<bdi>{topic}</bdi>)
            </>
          )}
        </Fragment>
      ))}
      {dates.length > maxNamedDates && `; ${t('dates.andMore')}`}
    </>
  )
  const said = [
    { text: t('dates.restored', { count: restoredOccurrences.length }), dates: restoredOccurrences },
    { text: t('dates.dropped', { count: droppedCancellations.length }), dates: droppedCancellations },
    { text: t('dates.removed', { count: removedOccurrences.length }), dates: removedOccurrences },
  ].filter(({ dates }) => dates.length > 0)
  if (said.length === 0) return null
  return (
    <Alert color="yellow" role="note" my="xs" icon={<IconCalendarEvent aria-hidden />}>
      {said.map(({ text, dates }) => (
        <Text key={text} size="sm">
          {text} {named(dates)}
        </Text>
      ))}
    </Alert>
  )
}
