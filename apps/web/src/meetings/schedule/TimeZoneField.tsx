import { type ComboboxItem, type ComboboxParsedItem, Select, type SelectProps } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ownTimeZoneName } from '../../session/own-time-zone.ts'
import { datesIn } from '../../texts/dates.ts'
import { isCode, rankZone, type TimeZoneCode, zoneIdOf, zoneNames } from './time-zones.ts'
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

/** Choose a time zone by its city, country, name, offset from UTC or short code. */
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
  const near = first.map((zone) => ({ value: zone, label: nameOf(zone) }))
  const chosenLabel = value == null ? '' : nameOf(value)
  /** Matches in the order of their rank, group by group. */
  const filterZones = (options: ComboboxParsedItem[], search: string, limit: number) => {
    const inWords = { language: i18n.language, at }
    return options.flatMap((option) => {
      if (!('group' in option)) return []
      const found = option.items
        .filter((item): item is ComboboxItem => typeof item === 'object' && 'label' in item)
        .map((item) => ({ item, rank: rankZone(zoneIdOf(item.value, codes), item.label, search, inWords) }))
        .filter((one): one is { item: ComboboxItem; rank: number } => one.rank !== undefined)
        .toSorted((one, other) => one.rank - other.rank)
        .slice(0, limit)
      return found.length === 0 ? [] : [{ group: option.group, items: found.map(({ item }) => item) }]
    })
  }
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
      // Typing replaces the chosen zone.
      onFocus={({ currentTarget }) => currentTarget.select()}
      onClick={({ currentTarget }) => {
        if (currentTarget.value === chosenLabel) currentTarget.select()
      }}
      data={[
        { group: t('zone.near'), items: near },
        { group: t('zone.all'), items: others(zoneNames(codes)) },
        {
          group: t('zone.codes'),
          items: codes
            .filter(({ code }) => !first.includes(code))
            .map(({ code, timeZone }) => ({ value: code, label: `${code} – ${timeZone.replaceAll('_', ' ')}` })),
        },
      ]}
    />
  )
}

const plainItem = (timeZone: string): ComboboxItem => ({ value: timeZone, label: timeZone.replaceAll('_', ' ') })
