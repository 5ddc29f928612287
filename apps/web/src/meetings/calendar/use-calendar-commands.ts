import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useCommands } from '../../ui/keyboard/commands.ts'
import { type Day, stepFrom } from './calendar-range.ts'
import { type CalendarSearch, type CalendarView, calendarViews } from './calendar-search.ts'

const keysOf = { month: 'm', week: 'w', day: 'd', agenda: 'a' } as const

type Shown = { view: CalendarView; day: Day; today: Day; show(change: CalendarSearch): void }

/** Single-key shortcuts of the calendar, the same as in other calendars. */
export function useCalendarCommands({ view, day, today, show }: Shown): void {
  const { t } = useTranslation('meetings')
  useCommands(
    // biome-ignore lint/correctness/useExhaustiveDependencies: `show` is new in each render; it uses these only
    useMemo(
      () => [
        { id: 'calendar-today', label: t('days.today'), keys: 't', run: () => show({ date: today }) },
        {
          id: 'calendar-previous',
          label: t('calendar.previous'),
          keys: 'p',
          run: () => show({ date: stepFrom(view, day, -1) }),
        },
        {
          id: 'calendar-next',
          label: t('calendar.next'),
          keys: 'n',
          run: () => show({ date: stepFrom(view, day, 1) }),
        },
        ...calendarViews.map((one) => ({
          id: `calendar-${one}`,
          label: `${t('calendar.view')}: ${t(`calendar.views.${one}`)}`,
          keys: keysOf[one],
          run: () => show({ view: one }),
        })),
      ],
      [t, view, day, today],
    ),
  )
}
