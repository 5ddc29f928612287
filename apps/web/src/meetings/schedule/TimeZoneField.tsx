import { type ComboboxItem, type ComboboxParsedItem, Select, type SelectProps } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ownTimeZoneName } from '../../session/own-time-zone.ts'
import { datesIn } from '../../texts/dates.ts'
import { isCode, type TimeZoneCode, zoneIdOf, zoneNames } from './time-zones.ts'
import { isKnownZone } from './wall-time.ts'

type TimeZoneFieldProps = Omit<SelectProps, 'data' | 'filter'> & {
  codes: readonly TimeZoneCode[]
  /** The instant for which names are shown: a zone's name changes with daylight saving time. */
  at: Date
  /** The time zone in the person's profile; empty for none. */
  profileTimeZone: string
}

/** More options render slowly; the search finds the rest. */
const maxShown = 60

/** Choose a time zone by its short code, city or name; whitespace does not matter. */
export function TimeZoneField({ codes, at, profileTimeZone, value, ...props }: TimeZoneFieldProps) {
  const { t, i18n } = useTranslation('schedule')
  const nameOf = (timeZone: string) => {
    const zoneId = zoneIdOf(timeZone, codes)
    const place = zoneId.replaceAll('_', ' ')
    const code = isCode(timeZone, codes) ? `${timeZone} – ` : ''
    if (!isKnownZone(zoneId)) return timeZone
    const name = datesIn(i18n.language, zoneId).zone(at)
    return `${code}${place} (${name})`
  }
  const suggested = [value ?? '', profileTimeZone, ownTimeZoneName(), 'UTC'].filter((zone) => zone !== '')
  // A zone that was sent by a former name is listed once and keeps that name as its value.
  const first = [...new Map(suggested.toReversed().map((zone) => [nameOf(zone), zone])).values()].toReversed()
  const shown = first.filter((zone) => !isCode(zone, codes)).map((zone) => zoneIdOf(zone, codes))
  const others = (names: readonly string[]) => names.filter((name) => !shown.includes(name)).map(plainItem)
  return (
    <Select
      {...props}
      value={value ?? null}
      searchable
      allowDeselect={false}
      limit={maxShown}
      maxDropdownHeight={320}
      nothingFoundMessage={t('zone.nothing')}
      filter={({ options, search, limit }) => filterZones(options, search, limit)}
      data={[
        { group: t('zone.near'), items: first.map((zone) => ({ value: zone, label: nameOf(zone) })) },
        {
          group: t('zone.codes'),
          items: codes
            .filter(({ code }) => !first.includes(code))
            .map(({ code, timeZone }) => ({ value: code, label: `${code} – ${timeZone.replaceAll('_', ' ')}` })),
        },
        { group: t('zone.all'), items: others(zoneNames(codes)) },
      ]}
    />
  )
}

const plainItem = (timeZone: string): ComboboxItem => ({ value: timeZone, label: timeZone.replaceAll('_', ' ') })

/** Every search term must occur in the name. Matches at the beginning come first within their group. */
function filterZones(options: ComboboxParsedItem[], search: string, limit: number): ComboboxParsedItem[] {
  const words = search.toLowerCase().replaceAll('_', ' ').split(/\s+/).filter(Boolean)
  let left = limit
  return options.flatMap((option) => {
    if (!('group' in option)) return []
    const found = option.items
      .filter((item): item is ComboboxItem => typeof item === 'object' && 'label' in item)
      .filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)))
      .toSorted((a, b) => rank(a, words) - rank(b, words))
      .slice(0, left)
    left -= found.length
    return found.length === 0 ? [] : [{ group: option.group, items: found }]
  })
}

const rank = ({ label }: ComboboxItem, [first = '']: readonly string[]) =>
  label.toLowerCase().startsWith(first) ? 0 : 1
