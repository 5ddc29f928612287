import { Button, Group, Text } from '@mantine/core'
import { resendWebhookEvents, type WebhookDelivery } from '@parley/contract'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '../../session/client.ts'
import { useProblemWords } from '../../session/problem-words.ts'
import { useDateFormat } from '../../ui/hooks/use-date-format.ts'
import { useMutation } from '../../ui/hooks/use-mutation.ts'
import { Mark, type Tone } from '../../ui/Mark.tsx'
import { showToast } from '../../ui/toast.ts'
import { webhooksKey } from '../webhook-queries.ts'
import { Attempts } from './Attempts.tsx'
import classes from './DeliveryLog.module.css'

type DeliveryRowProps = {
  webhookId: string
  delivery: WebhookDelivery
  /** Whether events may be sent again: not while the webhook is switched off. */
  canSend: boolean
}

const tones: Record<WebhookDelivery['state'], Tone> = {
  waiting: 'caution',
  delivered: 'good',
  failed: 'danger',
  withheld: 'neutral',
}

/** One event of the log; opened, it shows its attempts. */
export function DeliveryRow({ webhookId, delivery, canSend }: DeliveryRowProps) {
  const { t } = useTranslation('webhooks')
  const { moment } = useDateFormat()
  const facts = useDeliveryFacts()
  const [opened, setOpened] = useState(false)
  const attemptsId = useId()
  const toggle = useRef<HTMLButtonElement>(null)
  const { type, subject, timestamp, state } = delivery
  const when = moment(timestamp)
  return (
    <li>
      <Group gap="xs" justify="space-between">
        <Text fw={600} size="sm" dir="ltr">
          {type}
        </Text>
        <Mark tone={tones[state]}>{t(`delivery.${state}`)}</Mark>
      </Group>
      <Text size="sm" className={classes.subject}>
        <time dateTime={timestamp}>{when}</time>
        {' · '}
        <bdi dir="ltr">{subject}</bdi>
      </Text>
      <Text size="sm" c="dimmed">
        {facts(delivery).join(' · ')}
      </Text>
      <Group gap="xs" mt="xs">
        <Button
          ref={toggle}
          variant="default"
          size="xs"
          aria-expanded={opened}
          aria-controls={attemptsId}
          aria-label={t('log.attemptsOf', { type, moment: when })}
          rightSection={opened ? <IconChevronUp size={16} aria-hidden /> : <IconChevronDown size={16} aria-hidden />}
          onClick={() => setOpened(!opened)}
        >
          {t('log.attempts')}
        </Button>
        {canSend && state !== 'waiting' && <SendAgain webhookId={webhookId} delivery={delivery} beside={toggle} />}
      </Group>
      <div id={attemptsId}>{opened && <Attempts webhookId={webhookId} delivery={delivery} />}</div>
    </li>
  )
}

type SendAgainProps = {
  webhookId: string
  delivery: WebhookDelivery
  /** Takes the focus, because this button is gone while the event waits. */
  beside: RefObject<HTMLButtonElement | null>
}

function SendAgain({ webhookId, delivery, beside }: SendAgainProps) {
  const { t } = useTranslation(['webhooks', 'app'])
  const { moment } = useDateFormat()
  const queryClient = useQueryClient()
  const problemWords = useProblemWords()
  const { eventId, type, timestamp } = delivery
  const resend = useMutation({
    mutationFn: () => client.call(resendWebhookEvents, { params: { webhookId }, body: { eventId } }),
    onSuccess: async ({ count }) => {
      showToast({ message: t('log.resent', { count }) })
      beside.current?.focus()
      await queryClient.invalidateQueries({ queryKey: webhooksKey })
    },
    onError: (error) => showToast({ kind: 'problem', message: problemWords(error) }),
  })
  return (
    <Button
      variant="default"
      size="xs"
      aria-label={t('log.resendOf', { type, moment: moment(timestamp) })}
      loading={resend.isPending}
      onClick={() => resend.mutate()}
    >
      {t('app:sendAgain')}
    </Button>
  )
}

/** Return what is known of a delivery, in sentences. */
function useDeliveryFacts(): (delivery: WebhookDelivery) => string[] {
  const { t } = useTranslation('webhooks')
  const { moment } = useDateFormat()
  return ({ state, attempts, lastAttemptOn, lastStatus, nextAttemptOn, outOfOrder }) => {
    const last = lastStatus === null ? t('log.lastWithout') : t('log.lastStatus', { status: lastStatus })
    const next = nextAttemptOn === null ? t('log.behind') : t('log.next', { moment: moment(nextAttemptOn) })
    return [
      ...(attempts > 0 ? [t('log.count', { count: attempts })] : []),
      ...(lastAttemptOn === null ? [] : [last]),
      ...(state === 'waiting' ? [next] : []),
      ...(state === 'withheld' ? [t('log.withheld')] : []),
      ...(state === 'waiting' && outOfOrder ? [t('log.outOfOrder')] : []),
    ]
  }
}
