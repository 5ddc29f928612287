import { Button, Code, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import type { App, listAppEvents, ReplyOf } from '@parley/contract'
import { IconListSearch, IconRefresh, IconSearch } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { useDates } from '../texts/dates.ts'
import { Mark } from '../ui/Mark.tsx'
import { RowSkeletons } from '../ui/PageSkeleton.tsx'
import { EmptyState } from '../ui/Rows.tsx'
import { Section } from '../ui/Section.tsx'
import classes from './AppPage.module.css'
import { eventsQuery } from './app-queries.ts'
import { useEventWords } from './app-words.ts'
import { type EventFilter, environments, eventAges, eventGroups, everyEvent, isProblem } from './event-filter.ts'

/** A request for each pause in typing. */
const pauseMs = 300

/** The events of an app's requests with their exact causes. The server filters them. */
export function EventLog({ app }: { app: App }) {
  const { t } = useTranslation(['apps', 'app'])
  const [filter, setFilter] = useState(everyEvent)
  const [words] = useDebouncedValue(filter.words.trim(), pauseMs)
  const isFiltered = JSON.stringify({ ...filter, words }) !== JSON.stringify(everyEvent)
  const log = useInfiniteQuery(eventsQuery(app._id, { ...filter, words }))
  const shown = log.data?.pages.flatMap(({ events }) => events) ?? []
  const refresh = (
    <Button
      variant="default"
      size="xs"
      leftSection={<IconRefresh size={16} aria-hidden />}
      loading={log.isRefetching && !log.isFetchingNextPage}
      onClick={() => log.refetch()}
    >
      {t('log.refresh')}
    </Button>
  )
  return (
    <Section title={t('app.views.log')} actions={refresh}>
      <Text size="sm" c="dimmed" mb="md">
        {t('log.explanation')}
      </Text>
      <Filters filter={filter} onChange={setFilter} />
      <ProblemAlert error={log.error} />
      {log.data === undefined && log.error === null && (
        <Stack aria-busy="true">
          <RowSkeletons rows={4} />
        </Stack>
      )}
      <Text role="status" size="sm" c="dimmed" mb="xs">
        {log.data !== undefined && t(log.hasNextPage ? 'log.countSoFar' : 'log.count', { shown: shown.length })}
      </Text>
      {log.data !== undefined && shown.length === 0 && (
        <EmptyState
          icon={<IconListSearch size={40} />}
          title={t(isFiltered ? 'app:nothingMatches' : 'log.none')}
          explanation={t(isFiltered ? 'log.noMatchExplanation' : 'log.noneExplanation')}
        />
      )}
      <ol className={classes.rows}>
        {shown.map((event) => (
          <EventRow key={event._id} event={event} />
        ))}
      </ol>
      {log.hasNextPage && (
        <Button variant="default" mt="md" loading={log.isFetchingNextPage} onClick={() => log.fetchNextPage()}>
          {t('log.older')}
        </Button>
      )}
    </Section>
  )
}

type LoggedEvent = ReplyOf<typeof listAppEvents>['events'][number]

function EventRow({ event }: { event: LoggedEvent }) {
  const { createdOn, lastOccurredOn, occurrences, kind, cause, sandbox, requestId } = event
  const { t } = useTranslation(['apps', 'app'])
  const words = useEventWords()
  return (
    <li>
      <Group gap="xs" justify="space-between">
        <Text fw={600} size="sm" {...(isProblem(kind) && { c: 'var(--parley-danger)' })}>
          {words(kind)}
        </Text>
        <Mark tone="neutral">{t(sandbox ? 'app:sandbox' : 'live')}</Mark>
      </Group>
      {/* The service writes causes in English. */}
      <Text size="sm" lang="en" dir="auto">
        {cause}
      </Text>
      <Group gap="xs" mt={2}>
        <EventTime at={lastOccurredOn} />
        {occurrences > 1 && <RepeatedTime occurrences={occurrences} first={createdOn} />}
        {requestId !== '' && (
          <Text size="sm" c="dimmed">
            {t('log.request')} <Code dir="ltr">{requestId}</Code>
          </Text>
        )}
      </Group>
    </li>
  )
}

type FiltersProps = { filter: EventFilter; onChange(filter: EventFilter): void }

function Filters({ filter, onChange }: FiltersProps) {
  const { t } = useTranslation(['apps', 'app'])
  return (
    <Group component="search" gap="sm" mb="md" align="flex-end">
      <TextInput
        flex="1 1 14rem"
        type="search"
        label={t('log.search')}
        leftSection={<IconSearch size={18} aria-hidden />}
        value={filter.words}
        onChange={({ currentTarget: { value } }) => onChange({ ...filter, words: value })}
      />
      <NativeSelect
        label={t('app:what')}
        value={filter.group}
        data={eventGroups.map((value) => ({ value, label: t(`log.groups.${value}`) }))}
        onChange={({ currentTarget: { value } }) =>
          onChange({ ...filter, group: eventGroups.find((one) => one === value) ?? 'all' })
        }
      />
      <NativeSelect
        label={t('where')}
        value={filter.environment}
        data={environments.map((value) => ({ value, label: t(`log.environments.${value}`) }))}
        onChange={({ currentTarget: { value } }) =>
          onChange({ ...filter, environment: environments.find((one) => one === value) ?? 'both' })
        }
      />
      <NativeSelect
        label={t('app:when')}
        value={filter.age}
        data={eventAges.map((value) => ({ value, label: t(`log.ages.${value}`) }))}
        onChange={({ currentTarget: { value } }) =>
          onChange({ ...filter, age: eventAges.find((one) => one === value) ?? 'any' })
        }
      />
    </Group>
  )
}

/** An event's time in the reader's time zone. */
export function EventTime({ at }: { at: string }) {
  const dates = useDates()
  return (
    <Text component="time" dateTime={at} size="sm" c="dimmed">
      {dates.date(at)}, {dates.time(at)}
    </Text>
  )
}

type RepeatedTimeProps = { occurrences: number; first: string }

/** How many times an event has happened since its first time within the hour. */
function RepeatedTime({ occurrences, first }: RepeatedTimeProps) {
  const { t } = useTranslation('apps')
  const dates = useDates()
  return (
    <Text size="sm" c="dimmed">
      {t('log.repeated', { occurrences, first: dates.time(first) })}
    </Text>
  )
}
