import { Badge, Group, Text } from '@mantine/core'
import type { OccurrenceReply } from '@parley/contract'
import { useTranslation } from 'react-i18next'
import { ownTimeZone, writeSpan } from '../../texts/dates.ts'
import { LinkedText } from '../../ui/LinkedText.tsx'
import classes from './DateFacts.module.css'
import { regularTimesOf } from './regular-times.ts'

type DateFactsProps = {
  occurrence: OccurrenceReply
  /** The length of the series' dates. */
  durationMs: number
  isLarge?: boolean
}

/** One date of a series: its times, whether it is cancelled or changed, and what it has of its own. */
export function DateFacts({ occurrence, durationMs, isLarge = false }: DateFactsProps) {
  const { t, i18n } = useTranslation(['occurrence', 'app'])
  const dateFormat = { language: i18n.language, timeZone: ownTimeZone() }
  const { startTime, endTime, status, topic, description = '', location = '' } = occurrence
  const regular = regularTimesOf(occurrence, durationMs)
  const look = isLarge ? ({ size: 'lg', fw: 600 } as const) : {}
  const span = writeSpan(startTime, endTime, dateFormat)
  return (
    <div className={classes.facts}>
      <Group gap="xs">
        {status === 'cancelled' ? (
          <Text {...look} c="dimmed" component="s" td="line-through">
            {span}
          </Text>
        ) : (
          <Text {...look}>{span}</Text>
        )}
        {status === 'cancelled' && (
          <Badge color="red" tt="none">
            {t('app:cancelled')}
          </Badge>
        )}
        {status === 'changed' && (
          <Badge variant="default" tt="none">
            {t('changed')}
          </Badge>
        )}
      </Group>
      {regular !== undefined && (
        <Text size="sm" c="dimmed">
          {t('insteadOf', { times: writeSpan(regular.startTime, regular.endTime, dateFormat) })}
        </Text>
      )}
      {topic !== undefined && (
        <Text size="sm" fw={600} className={classes.text}>
          <bdi>{topic}</bdi>
        </Text>
      )}
      {location.trim() !== '' && (
        <Text size="sm" className={classes.text} dir="auto">
          <LinkedText text={location} />
        </Text>
      )}
      {description.trim() !== '' && (
        <details>
          <summary className={classes.summary}>{t('description')}</summary>
          <Text size="sm" className={classes.text} dir="auto">
            <LinkedText text={description} />
          </Text>
        </details>
      )}
    </div>
  )
}
