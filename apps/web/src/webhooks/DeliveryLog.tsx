import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core'
import { type EventType, eventTypeNames, type Webhook } from '@parley/contract'
import { IconListSearch, IconRefresh, IconSend } from '@tabler/icons-react'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { useProblemWords } from '../session/problem-words.ts'
import { readClockMs } from '../ui/hooks/use-now.ts'
import { RowSkeletons } from '../ui/PageSkeleton.tsx'
import { EmptyState } from '../ui/Rows.tsx'
import { Section } from '../ui/Section.tsx'
import { showToast } from '../ui/toast.ts'
import { DeliveryRow } from './DeliveryRow.tsx'
import { refreshDelay } from './refresh-delay.ts'
import classes from './Webhooks.module.css'
import { useResendEvents, useSendTestEvent } from './webhook-mutations.ts'
import { deliveriesQuery, webhookQuery } from './webhook-queries.ts'
import { type LogState, logStates, readWebhookSearch } from './webhook-search.ts'

/** The events of a webhook with their attempts, newest first; test events are sent from here. */
export function DeliveryLog({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation(['webhooks', 'app'])
  const { state } = useSearch({ from: '/signed-in/webhooks/$webhookId' })
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
  const problemWords = useProblemWords()
  const resend = useResendEvents(webhookId, {
    onSaved: ({ count }) => showToast({ message: count === 0 ? t('log.noneFailed') : t('log.resent', { count }) }),
    onError: (error) => showToast({ kind: 'problem', message: problemWords(error) }),
  })
  return (
    <Button variant="default" size="xs" loading={resend.isPending} onClick={() => resend.mutate({})}>
      {t('log.resendFailed')}
    </Button>
  )
}

type SendTestProps = { webhookId: string; onSent(eventId: string): void }

const plainTest: EventType = 'webhook.test'
const types = [plainTest, ...eventTypeNames.filter((type) => type !== plainTest)]

/** Send the sample of a type, to try the receiver. */
function SendTest({ webhookId, onSent }: SendTestProps) {
  const { t } = useTranslation(['webhooks', 'app'])
  const [type, setType] = useState<EventType>(plainTest)
  const sending = useSendTestEvent(webhookId, {
    onSaved: ({ eventId }) => {
      showToast({ message: t('test.sent') })
      onSent(eventId)
    },
  })
  return (
    <Section title={t('test.title')}>
      <ProblemAlert error={sending.error} />
      <Text size="sm" c="dimmed" mb="sm">
        {t('test.explanation')}
      </Text>
      <Group gap="sm" align="flex-end">
        <NativeSelect
          flex="1 1 14rem"
          maw="24rem"
          label={t('test.type')}
          dir="ltr"
          value={type}
          data={types}
          onChange={({ currentTarget: { value } }) => setType(types.find((one) => one === value) ?? plainTest)}
        />
        <Button
          leftSection={<IconSend size={18} aria-hidden />}
          loading={sending.isPending}
          onClick={() => sending.mutate(type)}
        >
          {t('test.send')}
        </Button>
      </Group>
    </Section>
  )
}

/** An event is listed once it is published, which takes less than a second unless the service is busy. */
const expectForMs = 30_000
const expectedEveryMs = 500

type Expected = { eventId: string; sinceMs: number }

/** The log of a webhook, which is read again while something in it waits or is expected. */
function useDeliveries(webhookId: string, state: LogState | undefined) {
  const queryClient = useQueryClient()
  const [expected, setExpected] = useState<Expected>()
  const log = useInfiniteQuery({
    ...deliveriesQuery(webhookId, state),
    refetchInterval: ({ state: { data } }) => {
      const loaded = data?.pages.flatMap(({ deliveries }) => deliveries) ?? []
      const nowMs = readClockMs()
      const isComing =
        expected !== undefined &&
        nowMs - expected.sinceMs < expectForMs &&
        loaded.every(({ eventId }) => eventId !== expected.eventId)
      return isComing ? expectedEveryMs : refreshDelay(loaded, nowMs)
    },
  })
  const deliveries = log.data?.pages.flatMap((page) => page.deliveries)
  // An attempt may have changed the state of the webhook.
  const attempts = deliveries?.map((one) => `${one.eventId} ${one.attempts} ${one.state}`).join()
  useEffect(() => {
    if (attempts !== undefined) void queryClient.invalidateQueries(webhookQuery(webhookId))
  }, [attempts, webhookId, queryClient])
  return {
    log,
    deliveries,
    /** Read the log until this event is in it. */
    expect: (eventId: string) => setExpected({ eventId, sinceMs: readClockMs() }),
  }
}
