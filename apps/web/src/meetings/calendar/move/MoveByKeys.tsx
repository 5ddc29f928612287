import { Button, Group, Paper, Text, useDirection } from '@mantine/core'
import { type KeyboardEvent, useEffect, useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { ownTimeZone, writeSpan } from '../../../texts/dates.ts'
import type { CalendarDate } from './calendar-date.ts'
import classes from './MoveByKeys.module.css'
import { moveTimes, shiftOfKey, stepToQuarter, type Times } from './moved-times.ts'

type MoveByKeysProps = {
  date: CalendarDate
  times: Times
  /** Whether up and down are weeks, as in a month. */
  isMonth: boolean
  onMove(times: Times): void
  onConfirm(): void
  onCancel(): void
}

/** Move a date with the arrow keys, or with buttons. The new time is announced after each step. */
export function MoveByKeys({ date, times, isMonth, onMove, onConfirm, onCancel }: MoveByKeysProps) {
  const { t, i18n } = useTranslation(['occurrence', 'app'])
  const { dir } = useDirection()
  const [headingId, keysId] = [useId(), useId()]
  const bar = useRef<HTMLDivElement>(null)
  useEffect(() => bar.current?.focus(), [])

  const byDays = (days: number) => onMove(moveTimes(times, { days, minutes: 0 }))
  const byQuarter = (direction: 1 | -1) =>
    onMove(moveTimes(times, { days: 0, minutes: stepToQuarter(times.startTime, direction) }))
  const press = (event: KeyboardEvent) => {
    const { key } = event
    const shift = shiftOfKey(key, { startTime: times.startTime, isMonth, isRightToLeft: dir === 'rtl' })
    const isConfirmed = key === 'Enter' && !(event.target instanceof HTMLButtonElement)
    if (shift === undefined && !isConfirmed && key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    if (shift !== undefined) onMove(moveTimes(times, shift))
    else if (isConfirmed) onConfirm()
    else onCancel()
  }
  const buttons = [
    ...(isMonth
      ? []
      : [
          { label: t('move.earlier'), run: () => byQuarter(-1) },
          { label: t('move.later'), run: () => byQuarter(1) },
        ]),
    { label: t('move.dayBefore'), run: () => byDays(-1) },
    { label: t('move.dayAfter'), run: () => byDays(1) },
  ]
  return (
    <Paper
      ref={bar}
      className={classes.bar}
      withBorder
      shadow="md"
      p="md"
      // Screen readers pass the arrow keys on.
      role="application"
      tabIndex={-1}
      data-own-keys
      aria-labelledby={headingId}
      aria-describedby={keysId}
      onKeyDown={press}
    >
      <Text fw={600} id={headingId}>
        {t('move.name', { topic: date.topic })}
      </Text>
      <Text aria-live="assertive" aria-atomic>
        {writeSpan(times.startTime, times.endTime, { language: i18n.language, timeZone: ownTimeZone() })}
      </Text>
      <Text size="sm" c="dimmed" id={keysId} mb="sm">
        {t('move.keys')}
      </Text>
      <Group gap="xs">
        {buttons.map(({ label, run }) => (
          <Button key={label} variant="default" size="compact-sm" onClick={run}>
            {label}
          </Button>
        ))}
        <Button variant="default" size="compact-sm" onClick={onCancel} ms="auto">
          {t('app:cancel')}
        </Button>
        <Button size="compact-sm" onClick={onConfirm}>
          {t('move.confirm')}
        </Button>
      </Group>
    </Paper>
  )
}
