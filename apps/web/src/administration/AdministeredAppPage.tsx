import { Button, Group, Stack, Text } from '@mantine/core'
import type { App } from '@parley/contract'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { AppFacts } from '../apps/AppFacts.tsx'
import { ReviewHistory } from '../reviews/ReviewHistory.tsx'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { Page } from '../ui/Page.tsx'
import { RowSkeletons } from '../ui/PageSkeleton.tsx'
import { Section } from '../ui/Section.tsx'
import { AppMarks, AppSwitch, useOwnerText } from './AppRow.tsx'
import { administeredAppQuery } from './administered-app-queries.ts'

/** One app for administrators: its live data, its pending revision, and its events. */
export function AdministeredAppPage() {
  const { t } = useTranslation(['administration', 'app', 'apps'])
  const { appId } = useParams({ from: '/signed-in/administration/apps/$appId' })
  const ownerOf = useOwnerText()
  const { data: app, error } = useQuery(administeredAppQuery(appId))
  const isRegistered = app?.registration === 'portal'
  const actions = (
    <>
      <Button variant="default" size="xs" component={Link} to="/administration/apps">
        {t('app:navigation.pages.allApps')}
      </Button>
      {app !== undefined && <AppSwitch app={app} />}
    </>
  )
  return (
    <Page title={app?.name ?? t('apps:app.title')} actions={actions}>
      <ProblemAlert error={error} />
      {app === undefined && error === null && (
        <Stack aria-busy="true">
          <RowSkeletons rows={5} />
        </Stack>
      )}
      {app !== undefined && (
        <Stack gap="md">
          <Group gap="sm">
            <AppMarks app={app} />
            <Text c="dimmed">{ownerOf(app)}</Text>
            <Text c="dimmed">{t('apps.connected', { number: app.connectedPeople })}</Text>
          </Group>
          {app.live && <Revision title={t('apps.liveTitle')} app={app.live} isRegistered={isRegistered} />}
          {app.draft && <Revision title={t('apps.draftTitle')} app={app.draft} isRegistered={isRegistered} />}
          <ReviewHistory history={app.history} />
        </Stack>
      )}
    </Page>
  )
}

function Revision({ title, app, isRegistered }: { title: string; app: App; isRegistered: boolean }) {
  return (
    <Section title={title}>
      <Text fw={600} mb="sm">
        <bdi>{app.name}</bdi>
      </Text>
      <AppFacts app={app} isRegistered={isRegistered} />
    </Section>
  )
}
