import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconAppsOff, IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { ColumnHead, DataTable } from '../ui/DataTable.tsx'
import { Page } from '../ui/Page.tsx'
import { RowSkeletons } from '../ui/PageSkeleton.tsx'
import { EmptyState } from '../ui/Rows.tsx'
import { Section } from '../ui/Section.tsx'
import { AppRow } from './AppRow.tsx'
import { appListQuery } from './administered-app-queries.ts'

/** Delay between the last keystroke and the search. */
const pauseMs = 300

/** Every app that can be suspended, with its status, by its public name. */
export function AllAppsPage() {
  const { t } = useTranslation(['administration', 'app'])
  const [typed, setTyped] = useState('')
  const [words] = useDebouncedValue(typed.trim(), pauseMs)
  return (
    <Page title={t('app:navigation.pages.allApps')}>
      <Text c="dimmed" mb="lg">
        {t('apps.explanation')}
      </Text>
      <search>
        <TextInput
          type="search"
          label={t('apps.search')}
          mb="lg"
          maxLength={250}
          leftSection={<IconSearch size={18} aria-hidden />}
          value={typed}
          onChange={({ currentTarget: { value } }) => setTyped(value)}
        />
      </search>
      <Stack gap="lg">
        <AppListSection suspended words={words} />
        <AppListSection suspended={false} words={words} />
      </Stack>
    </Page>
  )
}

type AppListSectionProps = { suspended: boolean; words: string }

function AppListSection({ suspended, words }: AppListSectionProps) {
  const { t } = useTranslation(['administration', 'app', 'apps'])
  const list = useInfiniteQuery({ ...appListQuery({ suspended, words }), placeholderData: keepPreviousData })
  const apps = list.data?.pages.flatMap((page) => page.apps)
  const title = t(suspended ? 'apps.suspended' : 'apps.others')
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
              <ColumnHead>{t('app:name')}</ColumnHead>
              <ColumnHead from="tablet">{t('apps:field.owner')}</ColumnHead>
              <ColumnHead from="tablet" numeric>
                {t('apps.people')}
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
