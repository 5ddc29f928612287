import { ActionIcon, Badge, CloseButton, Group, InputBase, Tabs, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconSearch, IconSelector } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, type RefObject, Suspense, useEffect, useId, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCommands } from '../../ui/keyboard/commands.ts'
import { Optional } from '../../ui/Optional.tsx'
import { Page } from '../../ui/Page.tsx'
import { listNames, type MeetingSearch, readMeetingSearch, withList } from '../search-params.ts'
import { useRememberedPlace } from '../way-back.ts'
import { DateList } from './DateList.tsx'
import { agendaQuery, anyMeetingQuery, handOversQuery } from './list-queries.ts'
import classes from './MeetingsPage.module.css'
import { StartActions } from './StartActions.tsx'

const HandOvers = lazy(async () => ({ default: (await import('./HandOvers.tsx')).HandOvers }))
const NoMeetings = lazy(async () => ({ default: (await import('./NoMeetings.tsx')).NoMeetings }))

/** The start page: actions to start and join, and the lists of meetings. */
export function MeetingsPage() {
  const { t } = useTranslation()
  const search = useSearch({ from: '/signed-in/meetings' })
  useRememberedPlace({ page: 'meetings', search })
  const navigate = useNavigate({ from: '/meetings' })
  const show = (to: MeetingSearch) => void navigate({ search: to, replace: true })
  const { data: hasAny } = useQuery(anyMeetingQuery)
  const { data: offered } = useQuery(handOversQuery)
  return (
    <Page title={t('navigation.pages.meetings')} actions={<StartActions />}>
      {(offered?.length ?? 0) > 0 && (
        <Optional>
          <HandOvers />
        </Optional>
      )}
      {/* An account without meetings sees how to create one instead of empty lists. */}
      {hasAny === false ? (
        <Suspense fallback={null}>
          <NoMeetings search={{}} onSearch={show} />
        </Suspense>
      ) : (
        <Lists search={search} onSearch={show} />
      )}
    </Page>
  )
}

type ListsProps = { search: MeetingSearch; onSearch(search: MeetingSearch): void }

/** The lists as tabs, with a search in each. */
function Lists({ search, onSearch }: ListsProps) {
  const { t } = useTranslation(['meetings', 'app'])
  const isFiltered = search.q !== undefined || search.role !== undefined
  const [isSearching, { open, toggle }] = useDisclosure(isFiltered)
  const field = useRef<HTMLInputElement>(null)
  const searchId = useId()
  const list = search.when ?? 'ahead'
  const { data: invitations } = useInfiniteQuery(agendaQuery({ when: 'invitations' }))
  const unanswered = invitations?.pages[0]?.totalCount ?? 0
  useListCommands(field, open)
  return (
    <Tabs
      value={list}
      keepMounted={false}
      onChange={(value) => onSearch(withList(search, listNames.find((name) => name === value) ?? 'ahead'))}
    >
      <div className={classes.bar}>
        <Tabs.List className={classes.tabs} aria-label={t('app:navigation.pages.meetings')}>
          {listNames.map((name) => (
            <Tabs.Tab
              key={name}
              value={name}
              {...(name === 'invitations' && unanswered > 0 && { rightSection: <Count count={unanswered} /> })}
            >
              {t(`filter.${name}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <ActionIcon
          className={classes.toggle}
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={t('filter.search')}
          aria-expanded={isSearching}
          aria-controls={searchId}
          onClick={toggle}
        >
          <IconSearch size={20} aria-hidden />
        </ActionIcon>
        <SearchFields
          id={searchId}
          field={field}
          isOpen={isSearching || isFiltered}
          search={search}
          onSearch={onSearch}
        />
      </div>
      <Tabs.Panel value={list} tabIndex={-1}>
        <DateList key={list} search={search} onSearch={onSearch} />
      </Tabs.Panel>
    </Tabs>
  )
}

function Count({ count }: { count: number }) {
  const { i18n } = useTranslation()
  return (
    <Badge size="sm" circle={count < 10}>
      {new Intl.NumberFormat(i18n.language).format(count)}
    </Badge>
  )
}

const roles = ['all', 'host', 'participant'] as const

/** Delay between the last keystroke and the search. */
const pauseMs = 300

type SearchFieldsProps = ListsProps & { id: string; field: RefObject<HTMLInputElement | null>; isOpen: boolean }

/** Filter the list by topic and people, and by the reader's role. On phones hidden until opened. */
function SearchFields({ id, field, isOpen, search, onSearch }: SearchFieldsProps) {
  const { t } = useTranslation(['meetings', 'app'])
  const [words, setWords] = useState(search.q ?? '')
  useEffect(() => setWords(search.q ?? ''), [search.q])
  const change = (part: Record<string, string>) => onSearch(readMeetingSearch({ ...search, q: words, ...part }))
  // biome-ignore lint/correctness/useExhaustiveDependencies: `change` is new in each render; it uses these only
  useEffect(() => {
    if (words === (search.q ?? '')) return
    const pause = setTimeout(() => change({ q: words }), pauseMs)
    return () => clearTimeout(pause)
  }, [words, search.q, search.role, search.when])
  return (
    <Group component="search" id={id} gap="xs" wrap="nowrap" className={classes.search} data-open={isOpen}>
      <TextInput
        className={classes.field}
        ref={field}
        variant="filled"
        type="search"
        aria-label={t('filter.search')}
        placeholder={t('filter.search')}
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
      {/* In place of Mantine's NativeSelect, which brings parts of other fields into the first load. */}
      <InputBase
        component="select"
        variant="filled"
        pointer
        aria-label={t('filter.role')}
        value={search.role ?? 'all'}
        rightSection={<IconSelector size={16} aria-hidden />}
        rightSectionPointerEvents="none"
        onChange={({ currentTarget: { value } }) => change({ role: value })}
      >
        {roles.map((role) => (
          <option key={role} value={role}>
            {t(`filter.${role}`)}
          </option>
        ))}
      </InputBase>
    </Group>
  )
}

/**
 * Single-key shortcuts of the list, the same as in mail programs and issue trackers: N for a new meeting, / to search.
 */
function useListCommands(field: RefObject<HTMLInputElement | null>, openSearch: () => void): void {
  const { t } = useTranslation(['meetings', 'app'])
  const navigate = useNavigate()
  useCommands(
    useMemo(
      () => [
        {
          id: 'do-schedule',
          label: t('app:commands.schedule'),
          keys: 'n',
          run: () => void navigate({ to: '/meetings/new' }),
        },
        {
          id: 'meetings-search',
          label: t('filter.search'),
          keys: '/',
          run() {
            openSearch()
            // The field is shown with the next frame.
            requestAnimationFrame(() => field.current?.focus())
          },
        },
      ],
      [t, navigate, field, openSearch],
    ),
  )
}
