import { Button, Code, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import type { App } from '@parley/contract'
import { IconListSearch, IconRefresh, IconSearch } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../../session/ProblemAlert.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Mark } from '../../ui/Mark.tsx'
import { RowSkeletons } from '../../ui/PageSkeleton.tsx'
import { Section } from '../../ui/Section.tsx'
import { eventsQuery } from '../app-queries.ts'
import classes from '../overview/Overview.module.css'
import { EventTime } from './EventTime.tsx'
import { type EventFilter, environments, eventGroups, fitsFilter, isProblem } from './event-filter.ts'
import { useEventWords } from './event-words.ts'

/** The events of an app's requests with their exact causes. The filters apply to the loaded events. */
export function EventLog({ app }: { app: App }) {
  const { t } = useTranslation(['apps', 'app'])
  const [filter, setFilter] = useState<EventFilter>({ group: 'all', environment: 'both', words: '' })
  const log = useInfiniteQuery(eventsQuery(app._id))
  const loaded = log.data?.pages.flatMap(({ events }) => events) ?? []
  const shown = loaded.filter((event) => fitsFilter(event, filter))
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
        {log.data !== undefined && t('log.count', { shown: shown.length, loaded: loaded.length })}
      </Text>
      {log.data !== undefined && shown.length === 0 && (
        <EmptyState
          icon={<IconListSearch size={40} />}
          title={t(loaded.length === 0 ? 'log.none' : 'app:nothingMatches')}
          explanation={t(loaded.length === 0 ? 'log.noneExplanation' : 'log.noMatchExplanation')}
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

type LoggedEvent = { _id: string; createdOn: string; kind: string; cause: string; sandbox: boolean; requestId: string }

function EventRow({ event: { createdOn, kind, cause, sandbox, requestId } }: { event: LoggedEvent }) {
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
        <EventTime at={createdOn} />
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
    </Group>
  )
}
