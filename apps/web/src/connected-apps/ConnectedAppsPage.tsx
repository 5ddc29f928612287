import { Skeleton, Stack, Text } from '@mantine/core'
import { IconPlugConnected } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Page } from '../ui/Page.tsx'
import { ConnectedApp } from './ConnectedApp.tsx'
import { DisconnectDialog } from './DisconnectDialog.tsx'
import { type Grant, grantsQuery } from './grants-query.ts'
import { TesterInvitations } from './TesterInvitations.tsx'

/** The apps with access to the account, what each may do, and how to disconnect it. */
export function ConnectedAppsPage() {
  const { t } = useTranslation(['connected-apps', 'app'])
  const { data, error } = useQuery(grantsQuery)
  const [disconnected, setDisconnected] = useState<Grant>()
  return (
    <Page title={t('app:navigation.pages.connectedApps')} width="narrow">
      <TesterInvitations />
      <ProblemAlert error={error} />
      {data === undefined && error === null && <CardSkeletons />}
      {data?.length === 0 && (
        <EmptyState icon={<IconPlugConnected size={40} />} title={t('none')} explanation={t('noneExplanation')} />
      )}
      {data !== undefined && data.length > 0 && (
        <>
          <Text mb="md">{t('explanation')}</Text>
          <Stack gap="lg">
            {data.map((grant) => (
              <ConnectedApp key={grant._id} grant={grant} onDisconnect={() => setDisconnected(grant)} />
            ))}
          </Stack>
        </>
      )}
      {disconnected !== undefined && (
        <DisconnectDialog grant={disconnected} onClose={() => setDisconnected(undefined)} />
      )}
    </Page>
  )
}

/** The height of an app with three scopes. */
const cardHeightPixels = 220

const CardSkeletons = () => (
  <Stack gap="lg" aria-busy="true">
    <Skeleton h={cardHeightPixels} radius="lg" />
    <Skeleton h={cardHeightPixels} radius="lg" />
  </Stack>
)
