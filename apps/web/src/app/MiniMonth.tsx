import { useNavigate, useRouterState } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { readCalendarSearch } from '../meetings/search-params.ts'
import { type Day, dayOf } from '../ui/date-time/days.ts'
import { MonthGrid } from '../ui/date-time/MonthGrid.tsx'
import { useNow } from '../ui/hooks/use-now.ts'

/** How long after midnight "today" may still be the previous day. */
const tickMs = 60_000

/** A month whose days open the calendar. */
export function MiniMonth({ onNavigate }: { onNavigate?: () => void }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const today = dayOf(useNow(tickMs))
  const { opened, view } = useOpenedDay()
  const [day, setDay] = useState<Day>(opened ?? today)
  useEffect(() => {
    if (opened !== undefined) setDay(opened)
  }, [opened])
  const open = (date: Day) => {
    void navigate({ to: '/calendar', search: { date, view } })
    onNavigate?.()
  }
  return (
    <section aria-label={t('month.title')}>
      <MonthGrid day={day} onDay={setDay} today={today} chosen={opened} onChoose={open} />
    </section>
  )
}

/** The day that the calendar shows, and the view in which another day is opened. */
function useOpenedDay() {
  const { pathname, search } = useRouterState({ select: ({ location }) => location })
  if (pathname !== '/calendar') return { opened: undefined, view: 'day' as const }
  const { date, view } = readCalendarSearch(search)
  // A month would not show which day was chosen.
  return { opened: date, view: view === 'week' || view === 'agenda' ? view : ('day' as const) }
}
