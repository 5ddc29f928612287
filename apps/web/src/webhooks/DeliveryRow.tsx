import { Button, Group, Stack, Text } from '@mantine/core'
import type { WebhookAttempt, WebhookDelivery } from '@parley/contract'
import type { Texts } from '@parley/texts/nouns'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type RefObject, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { useProblemWords } from '../session/problem-words.ts'
import { useDates } from '../texts/dates.ts'
import { CodeBlock } from '../ui/CodeBlock.tsx'
import { Mark, type Tone } from '../ui/Mark.tsx'
import { RowSkeletons } from '../ui/PageSkeleton.tsx'
import { showToast } from '../ui/toast.ts'
import classes from './Webhooks.module.css'
import { useResendEvents } from './webhook-mutations.ts'
import { deliveryQuery } from './webhook-queries.ts'

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
  const { dateTime } = useDates()
  const facts = useDeliveryFacts()
  const [opened, setOpened] = useState(false)
  const attemptsId = useId()
  const toggle = useRef<HTMLButtonElement>(null)
  const { type, subject, timestamp, state } = delivery
  const when = dateTime(timestamp)
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
  const { dateTime } = useDates()
  const problemWords = useProblemWords()
  const { eventId, type, timestamp } = delivery
  const resend = useResendEvents(webhookId, {
    onSaved: ({ count }) => {
      showToast({ message: t('log.resent', { count }) })
      beside.current?.focus()
    },
    onError: (error) => showToast({ kind: 'problem', message: problemWords(error) }),
  })
  return (
    <Button
      variant="default"
      size="xs"
      aria-label={t('log.resendOf', { type, moment: dateTime(timestamp) })}
      loading={resend.isPending}
      onClick={() => resend.mutate({ eventId })}
    >
      {t('app:sendAgain')}
    </Button>
  )
}

/** Return what is known of a delivery, in sentences. */
function useDeliveryFacts(): (delivery: WebhookDelivery) => string[] {
  const { t } = useTranslation('webhooks')
  const { dateTime } = useDates()
  return ({ state, attempts, lastAttemptOn, lastStatus, nextAttemptOn, outOfOrder }) => {
    const last = lastStatus === null ? t('log.lastWithout') : t('log.lastStatus', { status: lastStatus })
    const next = nextAttemptOn === null ? t('log.behind') : t('log.next', { moment: dateTime(nextAttemptOn) })
    return [
      ...(attempts > 0 ? [t('log.count', { count: attempts })] : []),
      ...(lastAttemptOn === null ? [] : [last]),
      ...(state === 'waiting' ? [next] : []),
      ...(state === 'withheld' ? [t('log.withheld')] : []),
      ...(state === 'waiting' && outOfOrder ? [t('log.outOfOrder')] : []),
    ]
  }
}

/** The attempts of one event with what was sent and what came back, the newest first. */
function Attempts({ webhookId, delivery }: { webhookId: string; delivery: WebhookDelivery }) {
  const { t } = useTranslation('webhooks')
  const { data, error } = useQuery({ ...deliveryQuery(webhookId, delivery), placeholderData: keepPreviousData })
  if (data === undefined) {
    return error === null ? (
      <Stack mt="sm" aria-busy="true">
        <RowSkeletons rows={1} />
      </Stack>
    ) : (
      <ProblemAlert error={error} />
    )
  }
  if (data.attemptLog.length === 0) {
    return (
      <Text size="sm" mt="sm">
        {t('log.noAttempt')}
      </Text>
    )
  }
  return (
    <ol className={classes.attempts} reversed>
      {data.attemptLog.toReversed().map((attempt) => (
        <Attempt key={attempt.number} attempt={attempt} />
      ))}
    </ol>
  )
}

function Attempt({ attempt }: { attempt: WebhookAttempt }) {
  const { t } = useTranslation('webhooks')
  const { dateTime } = useDates()
  const errorWords = useAttemptError()
  const { number, attemptedOn, durationMs, status, error } = attempt
  const { requestHeaders, requestBody, responseHeaders, responseBody } = attempt
  return (
    <li>
      <Text size="sm" fw={600}>
        {t('attempt.title', { number })}
      </Text>
      <Text size="sm" mb="xs">
        <time dateTime={attemptedOn}>{dateTime(attemptedOn)}</time>
        {' · '}
        {status === null ? errorWords(error) : t('attempt.status', { status })}
        {' · '}
        {t('attempt.duration', { number: durationMs })}
      </Text>
      <div className={classes.sides}>
        <Message label={t('attempt.request', { number })} headers={requestHeaders} body={requestBody} />
        {status !== null && responseHeaders !== null && (
          <Message label={t('attempt.response', { number })} headers={responseHeaders} body={responseBody ?? ''} />
        )}
        {status !== null && responseHeaders === null && <Text size="sm">{t('attempt.withheld')}</Text>}
      </div>
    </li>
  )
}

type MessageProps = { label: string; headers: Readonly<Record<string, string>>; body: string }

/** The headers and the beginning of the body, as text: a receiver may send any markup. */
function Message({ label, headers, body }: MessageProps) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return (
    <div>
      <Text size="sm">{label}</Text>
      <CodeBlock wraps label={label} code={[...lines, '', body].join('\n').trim()} />
    </div>
  )
}

type Written = keyof Texts['webhooks']['errors']

/** Return why there was no response, or the code of the service when no text exists. */
function useAttemptError(): (code: string | null) => string {
  const { t } = useTranslation('webhooks')
  return (code) => t(`errors.${code ?? 'no_connection'}` as `errors.${Written}`, { defaultValue: code ?? '' })
}
