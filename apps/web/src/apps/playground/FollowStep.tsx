import { Alert, Box, Button, Group, Text } from '@mantine/core'
import { followEvents, isProblem } from '@parley/client'
import type { FollowedEvent } from '@parley/contract'
import { IconAlertTriangle, IconAntenna, IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../../session/ProblemAlert.tsx'
import { useDates } from '../../texts/dates.ts'
import { CodeBlock } from '../../ui/CodeBlock.tsx'
import { readClockMs } from '../../ui/hooks/use-now.ts'
import { EmptyState } from '../../ui/Rows.tsx'
import { Section } from '../../ui/Section.tsx'
import { typeKey } from '../../webhooks/type-groups.ts'
import classes from './Playground.module.css'
import type { Playground, Tokens } from './use-playground.ts'
import { fetchAsProgram } from './wire.ts'

/** Follow the events of the person who has allowed the app, as they happen. */
export function FollowStep({ playground: { tokens } }: { playground: Playground }) {
  const { t } = useTranslation('apps')
  const { connection, refusal, error, events, start, stop } = useFollowedEvents(tokens)
  const readsMeetings = tokens?.scope.split(' ').includes('meeting:read') === true
  return (
    <Section title={t('follow.title')}>
      <Text size="sm" c="dimmed" mb="md">
        {t('follow.explanation')}
      </Text>
      <Group>
        {connection !== undefined ? (
          <Button variant="default" leftSection={<IconPlayerStop size={18} aria-hidden />} onClick={stop}>
            {t('follow.stop')}
          </Button>
        ) : (
          <Button
            variant={events.length === 0 ? 'filled' : 'default'}
            leftSection={<IconPlayerPlay size={18} aria-hidden />}
            disabled={tokens === undefined}
            onClick={start}
          >
            {t('follow.start')}
          </Button>
        )}
        <Text role="status" size="sm" c="dimmed">
          {connection !== undefined && t(`follow.connection.${connection}`)}
        </Text>
      </Group>
      {tokens !== undefined && !readsMeetings && (
        <Text size="sm" mt="sm">
          {t('follow.withoutMeetings')}
        </Text>
      )}
      <ProblemAlert error={error} />
      <div role="alert">
        {refusal !== undefined && (
          <Alert color="red" variant="light" icon={<IconAlertTriangle aria-hidden />} mt="md" role="presentation">
            {t(`follow.refusal.${refusal}`)}
          </Alert>
        )}
      </div>
      {connection === 'connected' && events.length === 0 && (
        <Box mt="md">
          <EmptyState
            icon={<IconAntenna size={40} />}
            title={t('follow.none')}
            explanation={t(readsMeetings ? 'follow.noneExplanation' : 'follow.noneOfMeetings')}
          />
        </Box>
      )}
      <div aria-live="polite" aria-relevant="additions">
        {events.length > 0 && (
          <ol className={classes.events} aria-label={t('follow.list')}>
            {events.map((event) => (
              <FollowedEventItem key={event.id} event={event} />
            ))}
          </ol>
        )}
      </div>
    </Section>
  )
}

function FollowedEventItem({ event }: { event: FollowedEvent }) {
  const { t } = useTranslation(['apps', 'webhooks'])
  const { dateTime } = useDates()
  const { type, timestamp, data } = event
  return (
    <li>
      <Text fw={600} size="sm">
        <bdi dir="ltr">{type}</bdi>
      </Text>
      <Text size="sm" className={classes.facts}>
        <time dateTime={timestamp}>{dateTime(timestamp)}</time>
        {'topic' in data && (
          <>
            {' · '}
            <bdi>{data.topic}</bdi>
          </>
        )}
      </Text>
      <Text size="sm" c="dimmed">
        {t(`webhooks:types.${typeKey(type)}`)}
      </Text>
      {/* Closed, its text is not read out when the event arrives. */}
      <details>
        <summary>{t('follow.details')}</summary>
        <CodeBlock wraps label={t('follow.detailsOf', { type })} code={JSON.stringify(event, null, 2)} />
      </details>
    </li>
  )
}

/** More are of no use on a page; the log has them all. */
const maxShown = 50

/** Follow the event log with the access token, as an app does. The newest events come first. */
function useFollowedEvents(tokens: Tokens | undefined) {
  /** Undefined while nothing is followed. */
  const [connection, setConnection] = useState<'connecting' | 'connected' | 'lost'>()
  /** Why the service no longer accepts the token. */
  const [refusal, setRefusal] = useState<'revoked' | 'expired'>()
  const [error, setError] = useState<unknown>(null)
  const [events, setEvents] = useState<readonly FollowedEvent[]>([])
  const running = useRef<AbortController>(undefined)
  // After a refresh, the next connection is made with the new token.
  const current = useRef(tokens)
  current.current = tokens
  const hasTokens = tokens !== undefined

  useEffect(() => {
    if (!hasTokens) return
    return () => {
      running.current?.abort()
      setConnection(undefined)
      setRefusal(undefined)
      setError(null)
      setEvents([])
    }
  }, [hasTokens])

  async function follow({ signal }: AbortController) {
    const service = { base: '', token: () => current.current?.access_token ?? '', fetch: fetchAsProgram }
    const onCursor = () => setConnection('connected')
    for await (const event of followEvents(service, { signal, onCursor, onLost: () => setConnection('lost') })) {
      if (signal.aborted) return
      setEvents((known) => [event, ...known].slice(0, maxShown))
    }
  }

  function start() {
    const stopping = new AbortController()
    running.current = stopping
    setConnection('connecting')
    setRefusal(undefined)
    setError(null)
    follow(stopping).catch((failure: unknown) => {
      if (stopping.signal.aborted) return
      setConnection(undefined)
      if (!isProblem(failure, 'unauthorized')) return setError(failure)
      setRefusal(readClockMs() < (current.current?.expiresAtMs ?? 0) ? 'revoked' : 'expired')
    })
  }

  function stop() {
    running.current?.abort()
    setConnection(undefined)
  }

  return { connection, refusal, error, events, start, stop }
}
