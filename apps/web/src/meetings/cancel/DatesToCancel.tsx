import { Skeleton, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ownTimeZone, writeSpan } from '../../texts/dates.ts'
import classes from './CancelMeetingDialog.module.css'

type DatesToCancelProps = {
  /** Undefined while loading. */
  dates: readonly { startTime: string; endTime: string }[] | undefined
  /** More dates follow that are cancelled as well. */
  goesOn: boolean
  /** A date that has begun is not cancelled. */
  isRunning: boolean
}

/** The dates that a cancellation removes. */
export function DatesToCancel({ dates, goesOn, isRunning }: DatesToCancelProps) {
  const { t, i18n } = useTranslation('schedule')
  const dateFormat = { language: i18n.language, timeZone: ownTimeZone() }
  if (dates === undefined) {
    return (
      <Stack gap="xs" aria-busy="true">
        <Skeleton h={24} w="50%" />
        <Skeleton h={24} />
      </Stack>
    )
  }
  return (
    <div className={classes.going} aria-live="polite">
      {dates.length === 0 ? (
        <Text>{t('cancel.nothingGoes')}</Text>
      ) : (
        <>
          <Text fw={600} mb={4}>
            {goesOn ? t('cancel.allGo') : t('cancel.goes', { count: dates.length })}
          </Text>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keys must reach a list that scrolls (WCAG 2.1.1) */}
          <ul className={classes.dates} tabIndex={0} aria-label={t('cancel.dates')}>
            {dates.map(({ startTime, endTime }) => (
              <li key={startTime}>
                <Text>{writeSpan(startTime, endTime, dateFormat)}</Text>
              </li>
            ))}
            {goesOn && <li>{t('cancel.andLater')}</li>}
          </ul>
        </>
      )}
      {isRunning && (
        <Text c="dimmed" size="sm" mt="xs">
          {t('cancel.running')}
        </Text>
      )}
    </div>
  )
}
