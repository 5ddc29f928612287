import { type ComboboxItem, type ComboboxParsedItem, Select, type SelectProps } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ownTimeZoneName } from '../../../session/own-time-zone.ts'
import { writeZone } from '../../../texts/dates.ts'
import { isKnownZone } from '../wall-time.ts'
import { isCode, type TimeZoneCode, zoneIdOf, zoneNames } from './time-zones.ts'

type TimeZoneFieldProps = Omit<SelectProps, 'data' | 'filter'> & {
  codes: readonly TimeZoneCode[]
  /** An instant for which the names are told: a zone is called otherwise in summer. */
  at: Date
  /** The zone that the person's profile names; empty for none. */
  profileTimeZone: string
}

/** More would take long to draw; whoever searches finds the rest. */
const maxShown = 60

/** Chooses a zone by its short code, its place or its name, in any spelling of blanks. */
export function TimeZoneField({ codes, at, profileTimeZone, value, ...props }: TimeZoneFieldProps) {
  const { t, i18n } = useTranslation('schedule')
  const nameOf = (timeZone: string) => {
    const zoneId = zoneIdOf(timeZone, codes)
    const place = zoneId.replaceAll('_', ' ')
    const code = isCode(timeZone, codes) ? `${timeZone} – ` : ''
    if (!isKnownZone(zoneId)) return timeZone
    const name = writeZone(at, { language: i18n.language, timeZone: zoneId })
    return `${code}${place} (${name})`
  }
  const suggested = [value ?? '', profileTimeZone, ownTimeZoneName(), 'UTC'].filter((zone) => zone !== '')
  // A zone that was sent by its former name stands there once, and keeps that name as its value.
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

/** Every word that is searched for stands in the name. What begins with it comes first within its group. */
function filterZones(options: ComboboxParsedItem[], search: string, limit: number): ComboboxParsedItem[] {
  const words = search.toLowerCase().replaceAll('_', ' ').split(/\s+/).filter(Boolean)
  let left = limit
  return options.flatMap((option) => {
    if (!('group' in option)) return []
    const found = option.items
      .filter((item): item is ComboboxItem => typeof item === 'object' && 'label' in item)
      .filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)))
      .toSorted((one, other) => rank(one, words) - rank(other, words))
      .slice(0, left)
    left -= found.length
    return found.length === 0 ? [] : [{ group: option.group, items: found }]
  })
}

const rank = ({ label }: ComboboxItem, [first = '']: readonly string[]) =>
  label.toLowerCase().startsWith(first) ? 0 : 1
