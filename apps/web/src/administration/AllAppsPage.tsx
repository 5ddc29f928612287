import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import type { AdministeredAppSort } from '@parley/contract'
import { IconAppsOff, IconSearch } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { ColumnHead, DataTable, type Order, SortField } from '../ui/DataTable.tsx'
import { Page } from '../ui/Page.tsx'
import { RowSkeletons } from '../ui/PageSkeleton.tsx'
import { EmptyState } from '../ui/Rows.tsx'
import { Section } from '../ui/Section.tsx'
import { AppRow } from './AppRow.tsx'
import { appListQuery } from './administered-app-queries.ts'
import { type AppSorting, sortAppsBy } from './administered-app-search.ts'

/** Delay between the last keystroke and the search. */
const pauseMs = 300

/** Every app that can be suspended, with its status, by its public name. */
export function AllAppsPage() {
  const { t } = useTranslation(['administration', 'app', 'apps'])
  const [typed, setTyped] = useState('')
  const [words] = useDebouncedValue(typed.trim(), pauseMs)
  const sorting = useSearch({ from: '/signed-in/administration/apps' })
  const navigate = useNavigate({ from: '/administration/apps' })
  const sort = (by: AdministeredAppSort) => void navigate({ search: sortAppsBy(sorting, by), replace: true })
  return (
    <Page title={t('app:navigation.pages.allApps')} caption={t('apps.explanation')}>
      <Group component="search" gap="sm" align="flex-end" mb="lg">
        <TextInput
          type="search"
          label={t('apps.search')}
          flex="1 1 14rem"
          maxLength={250}
          leftSection={<IconSearch size={18} aria-hidden />}
          value={typed}
          onChange={({ currentTarget: { value } }) => setTyped(value)}
        />
        <SortField
          label={t('app:sortBy')}
          value={sorting.sort ?? 'createdOn'}
          names={{
            createdOn: t('apps.registered'),
            name: t('app:name'),
            owner: t('apps:field.owner'),
            status: t('apps:statusSummary.title'),
            modifiedOn: t('apps:changed'),
          }}
          onChange={sort}
          direction={{ order: sorting.order ?? 'asc', reverse: t('app:reverseOrder') }}
        />
      </Group>
      <Stack gap="lg">
        <AppListSection suspended words={words} sorting={sorting} onSort={sort} />
        <AppListSection suspended={false} words={words} sorting={sorting} onSort={sort} />
      </Stack>
    </Page>
  )
}

type AppListSectionProps = {
  suspended: boolean
  words: string
  sorting: AppSorting
  onSort(by: AdministeredAppSort): void
}

function AppListSection({ suspended, words, sorting, onSort }: AppListSectionProps) {
  const { t } = useTranslation(['administration', 'app', 'apps'])
  const list = useInfiniteQuery(appListQuery({ suspended, words, sorting }))
  const apps = list.data?.pages.flatMap((page) => page.apps)
  const title = t(suspended ? 'apps.suspended' : 'apps.others')
  const order: Order = sorting.order ?? 'asc'
  const by = (column: AdministeredAppSort) => ({
    order: sorting.sort === column ? order : undefined,
    onSort: () => onSort(column),
  })
  return (
    <Section title={title}>
      <ProblemAlert error={list.error} />
      {apps === undefined && list.error === null && (
        <Stack aria-busy="true">
          <RowSkeletons rows={suspended ? 1 : 5} />
        </Stack>
      )}
      {apps?.length === 0 && <NoApps suspended={suspended} searched={words !== ''} />}
      {apps !== undefined && apps.length > 0 && (
        <DataTable
          label={title}
          menuHead={t('app:change')}
          head={
            <>
              <ColumnHead sort={by('name')}>{t('app:name')}</ColumnHead>
              <ColumnHead from="tablet" width="marks" sort={by('status')}>
                {t('apps:statusSummary.title')}
              </ColumnHead>
              <ColumnHead from="desktop" sort={by('owner')}>
                {t('apps:field.owner')}
              </ColumnHead>
              <ColumnHead from="desktop" numeric>
                {t('apps.people')}
              </ColumnHead>
              <ColumnHead from="tablet" width="day" sort={by('modifiedOn')}>
                {t('apps:changed')}
              </ColumnHead>
            </>
          }
        >
          {apps.map((app) => (
            <AppRow key={app._id} app={app} />
          ))}
        </DataTable>
      )}
      {list.hasNextPage && (
        <Group justify="center" mt="md">
          <Button variant="default" loading={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
            {t('app:showMore')}
          </Button>
        </Group>
      )}
    </Section>
  )
}

function NoApps({ suspended, searched }: { suspended: boolean; searched: boolean }) {
  const { t } = useTranslation(['administration', 'reviews', 'app'])
  if (suspended) return <Text c="dimmed">{t(searched ? 'app:nothingMatches' : 'apps.noneSuspended')}</Text>
  return (
    <EmptyState
      icon={<IconAppsOff size={40} />}
      title={t(searched ? 'app:nothingMatches' : 'reviews:empty.all')}
      explanation={t(searched ? 'apps.noMatchExplanation' : 'reviews:empty.explanation')}
    />
  )
}
