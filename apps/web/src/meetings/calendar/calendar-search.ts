export const calendarViews = ['month', 'week', 'day', 'agenda'] as const
export type CalendarView = (typeof calendarViews)[number]

/** The view and date of the calendar. They are in the address, so that Back returns to them. */
export type CalendarSearch = { view?: CalendarView; date?: string }

/** Parse the search parameters; an invalid date means today. */
export function readCalendarSearch({ view, date }: Record<string, unknown>): CalendarSearch {
  const known = calendarViews.find((one) => one === view)
  return {
    ...(known !== undefined && { view: known }),
    ...(typeof date === 'string' && isDay(date) && { date }),
  }
}

const isDay = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00`))
