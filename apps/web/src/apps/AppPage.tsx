import { Alert, Button, Stack, Tabs } from '@mantine/core'
import { IconPencil, IconPlayerPlay } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { Page } from '../ui/Page.tsx'
import { PageSkeleton, RowSkeletons } from '../ui/PageSkeleton.tsx'
import { WebhookList } from '../webhooks/WebhookList.tsx'
import { appQuery } from './app-queries.ts'
import { appViews, readAppSearch } from './app-search.ts'
import { Credentials } from './Credentials.tsx'
import { EventLog } from './EventLog.tsx'
import { Overview } from './Overview.tsx'
import { Testers } from './Testers.tsx'

// Loaded lazily, because the sample programs are large.
const QuickStarts = lazy(async () => ({ default: (await import('./QuickStarts.tsx')).QuickStarts }))

/** One app: status, credentials, testers, events, webhooks and sample programs. */
export function AppPage() {
  const { t } = useTranslation('apps')
  const { appId } = useParams({ from: '/signed-in/developers/$appId' })
  const { view = 'overview' } = useSearch({ from: '/signed-in/developers/$appId' })
  const navigate = useNavigate({ from: '/developers/$appId' })
  const { data: app, error } = useQuery(appQuery(appId))
  if (app === undefined) {
    return (
      <Page title={t('app.title')}>{error === null ? <PageSkeleton rows={4} /> : <ProblemAlert error={error} />}</Page>
    )
  }
  const panels = {
    overview: <Overview app={app} />,
    credentials: <Credentials app={app} />,
    testers: <Testers app={app} />,
    log: <EventLog app={app} />,
    webhooks: <AppWebhooks appId={appId} />,
    code: (
      <Suspense fallback={<RowSkeletons rows={4} />}>
        <QuickStarts app={app} />
      </Suspense>
    ),
  }
  return (
    <Page title={app.name} actions={<Actions appId={appId} suspended={app.status === 'suspended'} />}>
      {app.status === 'suspended' && (
        <Alert color="red" mb="md" role="note">
          {t('app.suspended')}
        </Alert>
      )}
      <Tabs
        value={view}
        keepMounted={false}
        onChange={(chosen) => void navigate({ search: readAppSearch({ view: chosen }), replace: true })}
      >
        <Tabs.List mb="lg">
          {appViews.map((one) => (
            <Tabs.Tab key={one} value={one}>
              {t(`app.views.${one}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {appViews.map((one) => (
          <Tabs.Panel key={one} value={one}>
            {panels[one]}
          </Tabs.Panel>
        ))}
      </Tabs>
    </Page>
  )
}

function Actions({ appId, suspended }: { appId: string; suspended: boolean }) {
  const { t } = useTranslation(['apps', 'app'])
  return (
    <>
      {!suspended && (
        <Button
          variant="default"
          leftSection={<IconPencil size={18} aria-hidden />}
          renderRoot={(props) => <Link to="/developers/$appId/edit" params={{ appId }} {...props} />}
        >
          {t('app:change')}
        </Button>
      )}
      <Button
        leftSection={<IconPlayerPlay size={18} aria-hidden />}
        renderRoot={(props) => <Link to="/developers/$appId/playground" params={{ appId }} {...props} />}
      >
        {t('playground.title')}
      </Button>
    </>
  )
}

/** The webhooks of an app: those for its users, and those of its sandbox. */
function AppWebhooks({ appId }: { appId: string }) {
  const { t } = useTranslation(['webhooks', 'apps', 'app'])
  const scope = { kind: 'app', appId } as const
  return (
    <Stack gap="lg">
      <WebhookList scope={scope} title={t('apps:live')} explanation={t('app.live')} />
      <WebhookList scope={scope} sandbox title={t('app:sandbox')} explanation={t('app.sandbox')} />
    </Stack>
  )
}
