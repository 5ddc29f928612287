import { Skeleton, Stack, Text } from '@mantine/core'
import { ProblemError } from '@parley/client'
import { revokeGrant } from '@parley/contract'
import { IconPlugConnected } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '../session/client.ts'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { useMutation } from '../ui/hooks/use-mutation.ts'
import { useReturnFocus } from '../ui/hooks/use-return-focus.ts'
import { Page } from '../ui/Page.tsx'
import { showToast } from '../ui/toast.ts'
import { ConnectedApp } from './ConnectedApp.tsx'
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
  const { _id, app } = grant
  const name = useGrantName()(grant)
  const { t } = useTranslation('connected-apps')
  const queryClient = useQueryClient()
  const isOfThisApp = ({ app: other }: Grant) => other._id === app._id && other.sandbox === app.sandbox
  const revoke = (grantId: string) => client.call(revokeGrant, { params: { grantId } })
  const disconnect = useMutation({
    async mutationFn() {
      try {
        await revoke(_id)
      } catch (error) {
        if (!(error instanceof ProblemError) || error.problem.code !== 'grant_not_found') throw error
        // Disconnected in another window. It may have been connected again since, which ends as well.
        const grants = await queryClient.fetchQuery({ ...grantsQuery, staleTime: 0 })
        const current = grants.find(isOfThisApp)
        if (current !== undefined) await revoke(current._id)
      }
    },
    onSuccess: () => {
      queryClient.setQueryData(grantsQuery.queryKey, (grants) => grants?.filter((one) => !isOfThisApp(one)))
      void queryClient.invalidateQueries({ queryKey: grantsQuery.queryKey })
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
