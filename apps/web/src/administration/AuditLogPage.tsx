import { Button, Group, NativeSelect, Select, Stack } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { type AuditLogEntry, auditActions, exportAuditLog, listAuditLog } from '@parley/contract'
import { IconAdjustmentsHorizontal, IconDownload, IconListSearch } from '@tabler/icons-react'
import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '../session/client.ts'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { useProblemWords } from '../session/problem-words.ts'
import { useChange } from '../session/use-change.ts'
import { ColumnHead, DataTable, type Order, SortField } from '../ui/DataTable.tsx'
import { DateField } from '../ui/date-time/DateField.tsx'
import { Page } from '../ui/Page.tsx'
import { RowSkeletons } from '../ui/PageSkeleton.tsx'
import { EmptyState } from '../ui/Rows.tsx'
import { Section } from '../ui/Section.tsx'
import { saveFile } from '../ui/save-file.ts'
import { showToast } from '../ui/toast.ts'
import { AuditEntryRow, useActionWords } from './AuditEntryRow.tsx'
import classes from './AuditLogPage.module.css'
import { accountName, foundAccountsQuery } from './account-queries.ts'
import { type AuditSearch, auditFilters, readAuditSearch } from './audit-search.ts'

/** The organisation's audit log, with export. */
export function AuditLogPage() {
  const { t } = useTranslation(['administration', 'app', 'security'])
  const search = useSearch({ from: '/signed-in/administration/audit-log' })
  const navigate = useNavigate({ from: '/administration/audit-log' })
  const narrow = (to: AuditSearch) => void navigate({ search: to, replace: true })
  const { order = 'desc', ...filters } = search
  const sort = (to: Order) => narrow({ ...filters, ...(to === 'asc' && { order: to }) })
  const log = useInfiniteQuery(auditLogQuery(search))
  const entries = log.data?.pages.flatMap((page) => page.entries)
  return (
    <Page
      title={t('app:navigation.pages.auditLog')}
      caption={t('log.explanation')}
      actions={<ExportButtons search={search} />}
    >
      <AuditFilters search={search} known={peopleOf(entries ?? [])} onChange={narrow} onSort={sort} />
      <ProblemAlert error={log.error} />
      {entries === undefined && log.error === null && (
        <Stack aria-busy="true">
          <RowSkeletons rows={6} />
        </Stack>
      )}
      {entries?.length === 0 && (
        <EmptyState
          icon={<IconListSearch size={40} />}
          title={t('app:nothingMatches')}
          explanation={t('log.noneExplanation')}
          action={
            <Button variant="default" onClick={() => narrow(readAuditSearch({ order }))}>
              {t('app:clearFilters')}
            </Button>
          }
        />
      )}
      {entries !== undefined && entries.length > 0 && (
        <Section title={t('log.entries')}>
          <DataTable
            label={t('log.entries')}
            menuHead={t('details')}
            head={
              <>
                <ColumnHead>{t('app:what')}</ColumnHead>
                <ColumnHead from="tablet">{t('log.actor')}</ColumnHead>
                <ColumnHead from="desktop">{t('log.about')}</ColumnHead>
                <ColumnHead
                  from="tablet"
                  width="moment"
                  sort={{ order, onSort: () => sort(order === 'desc' ? 'asc' : 'desc') }}
                >
                  {t('app:when')}
                </ColumnHead>
              </>
            }
          >
            {entries.map((entry) => (
              <AuditEntryRow key={entry._id} entry={entry} />
            ))}
          </DataTable>
        </Section>
      )}
      {log.hasNextPage && (
        <Group justify="center" mt="md">
          <Button variant="default" loading={log.isFetchingNextPage} onClick={() => log.fetchNextPage()}>
            {t('app:showMore')}
          </Button>
        </Group>
      )}
    </Page>
  )
}

/** The accounts of the entries by id, for the filters' labels. */
function peopleOf(entries: readonly AuditLogEntry[]): ReadonlyMap<string, string> {
  const people = entries.flatMap(({ actor, subject }) => [actor, subject])
  return new Map(
    people.flatMap((person) => (person === null ? [] : [[person._id, `${person.name} (${person.email})`] as const])),
  )
}

const entriesOnAPage = 50

const auditLogKey = ['audit-log']

const auditLogQuery = (search: AuditSearch) =>
  infiniteQueryOptions({
    queryKey: [...auditLogKey, search],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam }) =>
      client.call(listAuditLog, {
        query: {
          limit: entriesOnAPage,
          ...auditFilters(search),
          ...(search.order && { order: search.order }),
          ...(pageParam !== null && { after: pageParam }),
        },
      }),
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
  })

const formats = [
  { format: 'csv', mediaType: 'text/csv' },
  { format: 'ndjson', mediaType: 'application/x-ndjson' },
] as const
type Format = (typeof formats)[number]

/** Export the filtered entries. The page fetches the file itself, so that it can show an error. */
function ExportButtons({ search }: { search: AuditSearch }) {
  const { t } = useTranslation('administration')
  const problemWords = useProblemWords()
  const download = useChange(
    {
      mutationFn: ({ format }: Format) => client.call(exportAuditLog, { query: { format, ...auditFilters(search) } }),
      // The export is an entry of the log as well.
      refreshes: auditLogKey,
    },
    {
      onSaved: (text, { format, mediaType }) => saveFile(text, `audit-log.${format}`, mediaType),
      onError: (error) => showToast({ kind: 'problem', message: problemWords(error) }),
    },
  )
  return formats.map((one) => (
    <Button
      key={one.format}
      variant="default"
      leftSection={<IconDownload size={18} aria-hidden />}
      loading={download.isPending && download.variables.format === one.format}
      onClick={() => download.mutate(one)}
    >
      {t(`log.export.${one.format}`)}
    </Button>
  ))
}

type AuditFiltersProps = {
  search: AuditSearch
  known: ReadonlyMap<string, string>
  onChange(search: AuditSearch): void
  onSort(order: Order): void
}

/** Filter the log by action, actor, target and time. */
function AuditFilters({ search, known, onChange, onSort }: AuditFiltersProps) {
  const { t, i18n } = useTranslation(['administration', 'app'])
  const words = useActionWords()
  const { order = 'desc', ...filters } = search
  const count = Object.keys(filters).length
  // On a phone, the fields would fill the screen above the first entry.
  const [isOpen, setIsOpen] = useState(false)
  const fieldsId = useId()
  const change = (part: Partial<Record<keyof AuditSearch, string | undefined>>) =>
    onChange(readAuditSearch({ ...search, ...part }))
  const actions = auditActions
    .map((value) => ({ value, label: words(value) }))
    .toSorted((a, b) => a.label.localeCompare(b.label, i18n.language))
  return (
    <search className={classes.search}>
      <Button
        variant="default"
        className={classes.toggle ?? ''}
        leftSection={<IconAdjustmentsHorizontal size={18} aria-hidden />}
        aria-expanded={isOpen}
        aria-controls={fieldsId}
        onClick={() => setIsOpen(!isOpen)}
      >
        {count === 0 ? t('log.filters') : t('log.filtersSet', { count })}
      </Button>
      <div id={fieldsId} className={classes.fields} data-open={isOpen || undefined}>
        <NativeSelect
          label={t('app:what')}
          flex="1 1 10rem"
          value={search.action ?? ''}
          data={[{ value: '', label: t('app:everything') }, ...actions]}
          onChange={({ currentTarget: { value } }) => change({ action: value })}
        />
        <PersonField
          label={t('log.actor')}
          value={search.actor}
          known={known}
          onChange={(actor) => change({ actor })}
        />
        <PersonField
          label={t('log.subject')}
          value={search.subject}
          known={known}
          onChange={(subject) => change({ subject })}
        />
        <DateField label={t('log.from')} isPast value={search.from ?? ''} onChange={(from) => change({ from })} />
        <DateField label={t('log.to')} isPast value={search.to ?? ''} onChange={(to) => change({ to })} />
        <SortField
          label={t('app:sortBy')}
          value={order}
          names={{ desc: t('log.newestFirst'), asc: t('log.oldestFirst') }}
          onChange={onSort}
        />
        <Button variant="subtle" disabled={count === 0} onClick={() => onChange(readAuditSearch({ order }))}>
          {t('app:clearFilters')}
        </Button>
      </div>
    </search>
  )
}

/** Delay between the last keystroke and the request. */
const pauseMs = 300

type PersonFieldProps = {
  label: string
  /** An account id; undefined for all accounts. */
  value: string | undefined
  /** Accounts whose names are known already, by id: those of the entries on the page. */
  known: ReadonlyMap<string, string>
  onChange(userId: string | undefined): void
}

/** Choose an account by a part of its name or address. */
function PersonField({ label, value, known, onChange }: PersonFieldProps) {
  const { t } = useTranslation(['administration', 'app'])
  const [words, setWords] = useState('')
  const chosen = value === undefined ? undefined : (known.get(value) ?? t('log.chosen'))
  // The field writes the chosen name into its input; that is not a search.
  const [query] = useDebouncedValue(words === chosen ? '' : words, pauseMs)
  const { data: found = [] } = useQuery({ ...foundAccountsQuery(query.trim()), placeholderData: keepPreviousData })
  const options = found.map((account) => ({ value: account._id, label: `${accountName(account)} (${account.email})` }))
  const missing = value !== undefined && options.every((option) => option.value !== value)
  return (
    <Select
      label={label}
      placeholder={t('app:everyone')}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('log.clear', { label }) }}
      nothingFoundMessage={t('log.noAccount')}
      // The service has filtered already, by more than the label.
      filter={({ options: all }) => all}
      data={missing ? [{ value, label: chosen ?? '' }, ...options] : options}
      value={value ?? null}
      onSearchChange={setWords}
      onChange={(userId) => onChange(userId ?? undefined)}
      flex="1 1 10rem"
    />
  )
}
