import { Skeleton, Stack, Text } from '@mantine/core'
import { IconPlugConnected } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { useReturnFocus } from '../ui/hooks/use-return-focus.ts'
import { Page } from '../ui/Page.tsx'
import { EmptyState } from '../ui/Rows.tsx'
import { showToast } from '../ui/toast.ts'
import { ConnectedApp } from './ConnectedApp.tsx'
import { useDisconnectApp } from './grant-mutations.ts'
import { type Grant, grantsQuery, useGrantName } from './grant-queries.ts'
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

type DisconnectDialogProps = { grant: Grant; onClose(): void }

/** Disconnecting revokes every token of the app at once. The app has to ask for consent again. */
function DisconnectDialog({ grant, onClose }: DisconnectDialogProps) {
  useReturnFocus()
  const name = useGrantName()(grant)
  const { t } = useTranslation('connected-apps')
  const disconnect = useDisconnectApp(grant, {
    onSaved: () => {
      showToast({ message: t('disconnected', { name }) })
      onClose()
    },
  })
  return (
    <ConfirmDialog
      opened
      dangerous
      title={t('ask', { name })}
      confirm={t('disconnect')}
      busy={disconnect.isPending}
      onConfirm={() => disconnect.mutate()}
      onClose={onClose}
    >
      <ProblemAlert error={disconnect.error} />
      <Text>{t('askExplanation')}</Text>
    </ConfirmDialog>
  )
}
