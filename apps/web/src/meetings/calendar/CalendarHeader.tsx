import { ActionIcon, Button, Group, SegmentedControl, Text, Title, useDirection } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { ownTimeZone, writeZone } from '../../texts/dates.ts'
import classes from './CalendarHeader.module.css'
import { writeShown } from './calendar-labels.ts'
import { beginOf, type Day, stepFrom } from './calendar-range.ts'
import { type CalendarSearch, type CalendarView, calendarViews } from './calendar-search.ts'

type CalendarHeaderProps = {
  view: CalendarView
  day: Day
  today: Day
  firstWeekday: number
  onShow(change: CalendarSearch): void
}

/** The shown period, navigation, and the choice of view. */
export function CalendarHeader({ view, day, today, firstWeekday, onShow }: CalendarHeaderProps) {
  const { t, i18n } = useTranslation('meetings')
  const { dir } = useDirection()
  const [Earlier, Later] = dir === 'rtl' ? [IconChevronRight, IconChevronLeft] : [IconChevronLeft, IconChevronRight]
  return (
    <Group justify="space-between" gap="sm" mb="md">
      <Group gap="xs">
        <Button variant="default" onClick={() => onShow({ date: today })}>
          {t('days.today')}
        </Button>
        <ActionIcon
          variant="subtle"
          size="lg"
          aria-label={t('calendar.previous')}
          onClick={() => onShow({ date: stepFrom(view, day, -1) })}
        >
          <Earlier size={20} aria-hidden />
        </ActionIcon>
        <ActionIcon
          variant="subtle"
          size="lg"
          aria-label={t('calendar.next')}
          onClick={() => onShow({ date: stepFrom(view, day, 1) })}
        >
          <Later size={20} aria-hidden />
        </ActionIcon>
        <div>
          <Title order={2} size="h4" aria-live="polite" className={classes.shown}>
            {writeShown(view, day, firstWeekday, i18n.language)}
          </Title>
          <Text size="xs" c="dimmed">
            {t('calendar.zone', {
              zone: writeZone(beginOf(day), { language: i18n.language, timeZone: ownTimeZone() }),
            })}
          </Text>
        </div>
      </Group>
      <SegmentedControl
        aria-label={t('calendar.view')}
        value={view}
        transitionDuration={0}
        data={calendarViews.map((value) => ({ value, label: t(`calendar.views.${value}`) }))}
        onChange={(value) => {
          const chosen = calendarViews.find((one) => one === value)
          if (chosen !== undefined) onShow({ view: chosen })
        }}
      />
    </Group>
  )
}
