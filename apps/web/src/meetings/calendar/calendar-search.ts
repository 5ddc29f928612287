export const calendarViews = ['month', 'week', 'day', 'agenda'] as const
export type CalendarView = (typeof calendarViews)[number]

/** What the calendar shows; it stands in the address, so that Back goes where one was. */
export type CalendarSearch = { view?: CalendarView; date?: string }

/** Reads the address; a date that is none is today. */
export function readCalendarSearch({ view, date }: Record<string, unknown>): CalendarSearch {
  const known = calendarViews.find((one) => one === view)
  return {
    ...(known !== undefined && { view: known }),
    ...(typeof date === 'string' && isDay(date) && { date }),
  }
}

const isDay = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00`))
