import { Button, Group, Stack, Text } from '@mantine/core'
import type { AuditLogEntry } from '@parley/contract'
import { IconListSearch } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import classes from '../../reviews/Review.module.css'
import { ProblemAlert } from '../../session/ProblemAlert.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Page } from '../../ui/Page.tsx'
import { RowSkeletons } from '../../ui/PageSkeleton.tsx'
import { Section } from '../../ui/Section.tsx'
import { AuditEntryRow } from './AuditEntryRow.tsx'
import { AuditFilters } from './AuditFilters.tsx'
import { auditLogQuery } from './audit-query.ts'
import type { AuditSearch } from './audit-search.ts'
import { ExportButtons } from './ExportButtons.tsx'

/** The organisation's audit log, newest first, with export. */
export function AuditLogPage() {
  const { t } = useTranslation(['administration', 'app', 'security'])
  const search = useSearch({ from: '/house/administration/audit-log' })
  const navigate = useNavigate({ from: '/administration/audit-log' })
  const narrow = (to: AuditSearch) => void navigate({ search: to, replace: true })
  const log = useInfiniteQuery(auditLogQuery(search))
  const entries = log.data?.pages.flatMap((page) => page.entries)
  return (
    <Page title={t('app:navigation.pages.auditLog')} actions={<ExportButtons search={search} />}>
      <Text c="dimmed" mb="md">
        {t('log.explanation')}
      </Text>
      <AuditFilters search={search} known={peopleOf(entries ?? [])} onChange={narrow} />
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
            <Button variant="default" onClick={() => narrow({})}>
              {t('app:clearFilters')}
            </Button>
          }
        />
      )}
      {entries !== undefined && entries.length > 0 && (
        <Section title={t('log.entries')}>
          <ol className={classes.rows} aria-label={t('log.entries')}>
            {entries.map((entry) => (
              <AuditEntryRow key={entry._id} entry={entry} />
            ))}
          </ol>
        </Section>
      )}
      {log.hasNextPage && (
        <Group justify="center" mt="md">
          <Button variant="default" loading={log.isFetchingNextPage} onClick={() => log.fetchNextPage()}>
            {t('security:log.older')}
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
