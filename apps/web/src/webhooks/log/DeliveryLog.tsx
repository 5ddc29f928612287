import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core'
import { resendWebhookEvents, type Webhook } from '@parley/contract'
import { IconListSearch, IconRefresh } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { client } from '../../session/client.ts'
import { ProblemAlert } from '../../session/ProblemAlert.tsx'
import { useProblemWords } from '../../session/problem-words.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { useMutation } from '../../ui/hooks/use-mutation.ts'
import { RowSkeletons } from '../../ui/PageSkeleton.tsx'
import { Section } from '../../ui/Section.tsx'
import { showToast } from '../../ui/toast.ts'
import { webhooksKey } from '../webhook-queries.ts'
import { logStates, readWebhookSearch } from '../webhook-search.ts'
import classes from './DeliveryLog.module.css'
import { DeliveryRow } from './DeliveryRow.tsx'
import { SendTest } from './SendTest.tsx'
import { useDeliveries } from './use-deliveries.ts'

/** The events of a webhook with their attempts, newest first; test events are sent from here. */
export function DeliveryLog({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation(['webhooks', 'app'])
  const { state } = useSearch({ from: '/house/webhooks/$webhookId' })
  const navigate = useNavigate({ from: '/webhooks/$webhookId' })
  const filter = (chosen?: string) => void navigate({ search: readWebhookSearch({ state: chosen }), replace: true })
  const { log, deliveries, expect } = useDeliveries(webhook._id, state)
  const canSend = webhook.state !== 'disabled'
  return (
    <>
      {canSend && (
        <SendTest
          webhookId={webhook._id}
          onSent={(eventId) => {
            // It waits, or was taken: another filter would hide it.
            if (state !== undefined) filter()
            expect(eventId)
          }}
        />
      )}
      <Section
        title={t('log.title')}
        actions={
          <Group gap="xs">
            {canSend && <ResendFailed webhookId={webhook._id} />}
            <Button
              variant="default"
              size="xs"
              leftSection={<IconRefresh size={16} aria-hidden />}
              onClick={() => log.refetch()}
            >
              {t('log.reload')}
            </Button>
          </Group>
        }
      >
        <Text size="sm" c="dimmed" mb="md">
          {t('log.explanation')}
        </Text>
        <NativeSelect
          label={t('log.filter')}
          maw="16rem"
          mb="md"
          value={state ?? 'all'}
          data={[
            { value: 'all', label: t('app:everything') },
            ...logStates.map((one) => ({ value: one, label: t(`delivery.${one}`) })),
          ]}
          onChange={({ currentTarget: { value } }) => filter(value)}
        />
        <ProblemAlert error={log.error} />
        {deliveries === undefined && log.error === null && (
          <Stack aria-busy="true">
            <RowSkeletons rows={4} />
          </Stack>
        )}
        {deliveries?.length === 0 && (
          <EmptyState
            icon={<IconListSearch size={40} />}
            title={t(state === undefined ? 'log.none' : 'app:nothingMatches')}
            explanation={t(state === undefined ? 'log.noneExplanation' : 'log.noMatchExplanation')}
          />
        )}
        {deliveries !== undefined && deliveries.length > 0 && (
          <ol className={classes.rows} aria-label={t('log.title')}>
            {deliveries.map((delivery) => (
              <DeliveryRow key={delivery.eventId} webhookId={webhook._id} delivery={delivery} canSend={canSend} />
            ))}
          </ol>
        )}
        {log.hasNextPage && (
          <Group justify="center" mt="md">
            <Button variant="default" loading={log.isFetchingNextPage} onClick={() => log.fetchNextPage()}>
              {t('app:showMore')}
            </Button>
          </Group>
        )}
      </Section>
    </>
  )
}

function ResendFailed({ webhookId }: { webhookId: string }) {
  const { t } = useTranslation('webhooks')
  const queryClient = useQueryClient()
  const problemWords = useProblemWords()
  const resend = useMutation({
    mutationFn: () => client.call(resendWebhookEvents, { params: { webhookId }, body: {} }),
    onSuccess: async ({ count }) => {
      showToast({ message: count === 0 ? t('log.noneFailed') : t('log.resent', { count }) })
      await queryClient.invalidateQueries({ queryKey: webhooksKey })
    },
    onError: (error) => showToast({ kind: 'problem', message: problemWords(error) }),
  })
  return (
    <Button variant="default" size="xs" loading={resend.isPending} onClick={() => resend.mutate()}>
      {t('log.resendFailed')}
    </Button>
  )
}
