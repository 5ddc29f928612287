import { Stack, Text } from '@mantine/core'
import type { WebhookAttempt, WebhookDelivery } from '@parley/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../../session/ProblemAlert.tsx'
import { CodeBlock } from '../../ui/CodeBlock.tsx'
import { useDateFormat } from '../../ui/hooks/use-date-format.ts'
import { RowSkeletons } from '../../ui/PageSkeleton.tsx'
import { deliveryQuery } from '../webhook-queries.ts'
import classes from './DeliveryLog.module.css'
import { useAttemptError } from './use-attempt-error.ts'

/** The attempts of one event with what was sent and what came back, the newest first. */
export function Attempts({ webhookId, delivery }: { webhookId: string; delivery: WebhookDelivery }) {
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
  const { moment } = useDateFormat()
  const errorWords = useAttemptError()
  const { number, attemptedOn, durationMs, status, error } = attempt
  const { requestHeaders, requestBody, responseHeaders, responseBody } = attempt
  return (
    <li>
      <Text size="sm" fw={600}>
        {t('attempt.title', { number })}
      </Text>
      <Text size="sm" mb="xs">
        <time dateTime={attemptedOn}>{moment(attemptedOn)}</time>
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
