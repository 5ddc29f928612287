import { CloseButton, Group, NativeSelect, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { type Ref, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type MeetingSearch, readMeetingSearch } from './meeting-search.ts'

/** Delay between the last keystroke and the search. */
const pauseMs = 300

type MeetingFiltersProps = {
  search: MeetingSearch
  searchRef: Ref<HTMLInputElement>
  onChange(search: MeetingSearch): void
}

/** Filter the list by topic, by the reader's role, and by time. */
export function MeetingFilters({ search, searchRef, onChange }: MeetingFiltersProps) {
  const { t } = useTranslation(['meetings', 'app'])
  const [words, setWords] = useState(search.q ?? '')
  useEffect(() => setWords(search.q ?? ''), [search.q])
  const change = (part: Record<string, string>) => onChange(readMeetingSearch({ ...search, q: words, ...part }))
  // biome-ignore lint/correctness/useExhaustiveDependencies: `change` is new in each render; it uses these only
  useEffect(() => {
    if (words === (search.q ?? '')) return
    const pause = setTimeout(() => change({ q: words }), pauseMs)
    return () => clearTimeout(pause)
  }, [words, search.q, search.role, search.when])
  return (
    <Group component="search" gap="sm" mb="md" align="flex-end">
      <TextInput
        flex="1 1 14rem"
        ref={searchRef}
        type="search"
        label={t('filter.search')}
        value={words}
        maxLength={250}
        leftSection={<IconSearch size={18} aria-hidden />}
        rightSection={
          words === '' ? null : (
            <CloseButton size="sm" aria-label={t('app:clearSearch')} onClick={() => change({ q: '' })} />
          )
        }
        onChange={({ currentTarget: { value } }) => setWords(value)}
      />
      <NativeSelect
        label={t('app:when')}
        value={search.when ?? 'ahead'}
        data={[
          { value: 'ahead', label: t('filter.ahead') },
          { value: 'past', label: t('filter.past') },
          { value: 'cancelled', label: t('filter.cancelled') },
        ]}
        onChange={({ currentTarget: { value } }) => change({ when: value })}
      />
      <NativeSelect
        label={t('filter.role')}
        value={search.role ?? 'all'}
        data={[
          { value: 'all', label: t('filter.all') },
          { value: 'host', label: t('filter.host') },
          { value: 'participant', label: t('filter.participant') },
        ]}
        onChange={({ currentTarget: { value } }) => change({ role: value })}
      />
    </Group>
  )
}
