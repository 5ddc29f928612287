import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { IconAppsOff, IconSearch, IconUserCheck } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../../session/ProblemAlert.tsx'
import { usePerson } from '../../session/session.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Page } from '../../ui/Page.tsx'
import { RowSkeletons } from '../../ui/PageSkeleton.tsx'
import { Rows } from '../../ui/Rows.tsx'
import { Section } from '../../ui/Section.tsx'
import { AppRow } from './AppRow.tsx'
import { appListQuery, type ListedApp } from './app-list-query.ts'

/** Every app, and which of them are stopped. */
export function AllAppsPage() {
  const { t } = useTranslation('administration')
  const { roleIds } = usePerson()
  return (
    <Page title={t('apps.title')}>
      <Text c="dimmed" mb="lg">
        {t('apps.explanation')}
      </Text>
      {/* The service lists apps to reviewers alone. */}
      {roleIds.includes('reviewer') ? <AppLists /> : <OnlyReviewers />}
    </Page>
  )
}

function AppLists() {
  const { t } = useTranslation('administration')
  const [words, setWords] = useState('')
  const list = useInfiniteQuery(appListQuery)
  const apps = list.data?.pages.flatMap(({ reviews }) => reviews)
  if (apps === undefined) {
    return list.error === null ? (
      <Stack aria-busy="true">
        <RowSkeletons rows={5} />
      </Stack>
    ) : (
      <ProblemAlert error={list.error} />
    )
  }
  const suspended = apps.filter(({ status }) => status === 'suspended')
  const others = apps.filter((app) => app.status !== 'suspended' && holds(app, words))
  return (
    <Stack gap="lg">
      <Section title={t('apps.suspended')}>
        {suspended.length === 0 ? (
          <Text c="dimmed">{t('apps.noneSuspended')}</Text>
        ) : (
          <Rows label={t('apps.suspended')}>
            {suspended.map((app) => (
              <AppRow key={app.appId} app={app} />
            ))}
          </Rows>
        )}
      </Section>
      <Section title={t('apps.others')}>
        {apps.length > suspended.length && <AppSearchField words={words} onChange={setWords} />}
        {others.length === 0 && <NoOthers searched={words !== ''} any={apps.length > 0} />}
        <Rows label={t('apps.others')}>
          {others.map((app) => (
            <AppRow key={app.appId} app={app} />
          ))}
        </Rows>
        {list.hasNextPage && (
          <Group justify="center" mt="md">
            <Button variant="default" loading={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
              {t('apps.more')}
            </Button>
          </Group>
        )}
      </Section>
    </Stack>
  )
}

function AppSearchField({ words, onChange }: { words: string; onChange(words: string): void }) {
  const { t } = useTranslation('administration')
  return (
    <search>
      <TextInput
        type="search"
        label={t('apps.search')}
        mb="sm"
        leftSection={<IconSearch size={18} aria-hidden />}
        value={words}
        onChange={({ currentTarget: { value } }) => onChange(value)}
      />
    </search>
  )
}

function NoOthers({ searched, any }: { searched: boolean; any: boolean }) {
  const { t } = useTranslation('administration')
  if (!searched && any) return <Text c="dimmed">{t('apps.noOthers')}</Text>
  return (
    <EmptyState
      icon={<IconAppsOff size={40} />}
      title={t(searched ? 'apps.noMatch' : 'apps.none')}
      explanation={t(searched ? 'apps.noMatchExplanation' : 'apps.noneExplanation')}
    />
  )
}

function holds({ name, owner }: ListedApp, words: string): boolean {
  const wanted = words.trim().toLowerCase()
  return [name, owner.name, owner.lname, owner.email].some((text) => text.toLowerCase().includes(wanted))
}

function OnlyReviewers() {
  const { t } = useTranslation('administration')
  const { email } = usePerson()
  return (
    <EmptyState
      icon={<IconUserCheck size={40} />}
      title={t('apps.onlyReviewers')}
      explanation={t('apps.onlyReviewersExplanation')}
      action={
        <Button renderRoot={(props) => <Link to="/administration/accounts" search={{ q: email }} {...props} />}>
          {t('apps.toAccount')}
        </Button>
      }
    />
  )
}
