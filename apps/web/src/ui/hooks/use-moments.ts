import { useTranslation } from 'react-i18next'
import { ownTimeZone, writeDay, writeSpan } from '../../texts/dates.ts'
import { writeDistance } from '../../texts/distance.ts'
import { useNow } from './use-now.ts'

/** Distances are told in minutes at the finest. */
const everyMs = 60_000

type Moments = {
  /** "Monday, 7 January 2030" */
  day(at: string): string
  /** "Mon, 7 Jan 2030, 09:00" */
  moment(at: string): string
  /** "2 days ago", kept up to date while it is looked at. */
  distance(at: string): string
}

/** Instants in words, in the reader's language and zone. */
export function useMoments(): Moments {
  const { i18n } = useTranslation()
  const now = useNow(everyMs)
  const where = { language: i18n.language, timeZone: ownTimeZone() }
  return {
    day: (at) => writeDay(at, where),
    moment: (at) => writeSpan(at, at, where),
    distance: (at) =>
      Math.abs(Date.parse(at) - now.getTime()) < everyMs
        ? justNow(i18n.language)
        : writeDistance(at, now, i18n.language),
  }
}

/** What lies less than one step away, whichever clock is ahead. */
const justNow = (language: string) => new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(0, 'second')
