import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { ownTimeZoneName } from '../../session/own-time-zone.ts'
import { datesIn, regional } from '../../texts/dates.ts'
import { beginOf, type Day } from '../../ui/date-time/days.ts'
import classes from './SecondZone.module.css'
import { hoursElsewhere, placeOfZone } from './zone-hours.ts'

/** The axis shows times of day, which have no zone: also those that clocks skip. */
export const writeWallTime = (language: string, time: string): string =>
  datesIn(language, 'UTC').time(`2026-01-01T${time}Z`)

/** The places of both zones, above their hours. */
export function ZoneNames({ zone }: { zone: string }) {
  return (
    <div className={classes.names}>
      {[zone, ownTimeZoneName()].map(placeOfZone).map((place) => (
        <bdi key={place} title={place}>
          {place}
        </bdi>
      ))}
    </div>
  )
}

/** The hours of the second zone, beside those of the axis. */
export function ZoneHours({ zone, days }: { zone: string; days: readonly Day[] }) {
  const { t, i18n } = useTranslation('meetings')
  const hours = useMemo(() => hoursElsewhere(days, ownTimeZoneName(), zone), [days, zone])
  const weekdays = new Intl.DateTimeFormat(regional(i18n.language), { weekday: 'short', calendar: 'gregory' })
  const writeDays = ([first = '', ...others]: readonly Day[]) =>
    weekdays.formatRange(beginOf(first), beginOf(others.at(-1) ?? first))
  return (
    <ol className={classes.hours} aria-label={t('calendar.zoneHours', { place: placeOfZone(zone) })}>
      {hours.map(([usual, ...others], hour) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an hour is its place
        <li key={hour}>
          {usual !== undefined && <span>{writeWallTime(i18n.language, usual.time)}</span>}
          {others.map(({ time, days: when }) => (
            <span key={time} className={classes.other}>
              {writeDays(when)} {writeWallTime(i18n.language, time)}
            </span>
          ))}
        </li>
      ))}
    </ol>
  )
}
