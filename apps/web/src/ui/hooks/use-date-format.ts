import { useTranslation } from 'react-i18next'
import { ownTimeZone, writeDay, writeSpan } from '../../texts/dates.ts'
import { writeDistance } from '../../texts/distance.ts'
import { useNow } from './use-now.ts'

/** Relative times have minute precision. */
const everyMs = 60_000

type DateFormat = {
  /** "Monday, 7 January 2030" */
  day(at: string): string
  /** "Mon, 7 Jan 2030, 09:00" */
  moment(at: string): string
  /** "2 days ago", updated while it is shown. */
  distance(at: string): string
}

/** Format instants in the reader's language and time zone. */
export function useDateFormat(): DateFormat {
  const { i18n } = useTranslation()
  const now = useNow(everyMs)
  const dateFormat = { language: i18n.language, timeZone: ownTimeZone() }
  return {
    day: (at) => writeDay(at, dateFormat),
    moment: (at) => writeSpan(at, at, dateFormat),
    distance: (at) =>
      Math.abs(Date.parse(at) - now.getTime()) < everyMs
        ? justNow(i18n.language)
        : writeDistance(at, now, i18n.language),
  }
}

/** "now", for differences below a minute in either direction. */
const justNow = (language: string) => new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(0, 'second')
