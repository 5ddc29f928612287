import { Button, Group, NativeSelect, Text } from '@mantine/core'
import { createMeeting, listMeetings, readUserProfile } from '@parley/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CodeBlock } from '../../ui/CodeBlock.tsx'
import { useNow } from '../../ui/hooks/use-now.ts'
import { Section } from '../../ui/Section.tsx'
import classes from './Playground.module.css'
import type { Playground } from './use-playground.ts'
import { type Exchange, maskSecrets, type WireRequest, writeAnswer, writeRequest } from './wire.ts'

type StepProps = { playground: Playground; hidden: readonly string[] }

/** Exchange the code for tokens (RFC 6749, 4.1.3). */
export function ExchangeStep({ playground, hidden }: StepProps) {
  const { t } = useTranslation('apps')
  const { authorizationResponse, hasNoSecret, secret, exchanges, busy } = playground
  const needsSecret = !hasNoSecret && secret === ''
  const trusted =
    authorizationResponse?.code !== undefined &&
    authorizationResponse.stateFits &&
    authorizationResponse.issuerFits !== false
  return (
    <Section title={t('exchange.title')}>
      <Text size="sm" c="dimmed" mb="md">
        {t(hasNoSecret ? 'exchange.explanationPublic' : 'exchange.explanation')}
      </Text>
      <Button
        variant={exchanges.exchange === undefined ? 'filled' : 'default'}
        disabled={!trusted || needsSecret}
        loading={busy === 'exchange'}
        onClick={playground.exchange}
      >
        {t('exchange.send')}
      </Button>
      {trusted && needsSecret && (
        <Text size="sm" c="dimmed" mt="xs">
          {t('exchange.needsSecret')}
        </Text>
      )}
      <ExchangeView exchange={exchanges.exchange} hidden={hidden} />
    </Section>
  )
}

const minuteMs = 60 * 1_000

/** Call the API with the access token. Calls without their scope are offered as well, to show the refusal. */
export function CallStep({ playground, hidden }: StepProps) {
  const { t } = useTranslation(['apps', 'app'])
  const now = useNow(minuteMs)
  const [call, setCall] = useState<ApiCall>('profile')
  const { tokens, exchanges, busy } = playground
  return (
    <Section title={t('call.title')}>
      <Text size="sm" c="dimmed" mb="md">
        {t('call.explanation')}
      </Text>
      <Group align="flex-end">
        <NativeSelect
          flex="1 1 16rem"
          maw={420}
          label={t('call.which')}
          value={call}
          data={apiCalls.map((value) => ({ value, label: t(`call.calls.${value}`) }))}
          onChange={({ currentTarget: { value } }) => setCall(apiCalls.find((one) => one === value) ?? 'profile')}
        />
        <Button
          variant={exchanges.call === undefined ? 'filled' : 'default'}
          disabled={tokens === undefined}
          loading={busy === 'call'}
          onClick={() => playground.call(toWireRequest(call, now))}
        >
          {t('app:send')}
        </Button>
      </Group>
      <ExchangeView exchange={exchanges.call} hidden={hidden} />
    </Section>
  )
}

const apiCalls = ['profile', 'meetings', 'create'] as const
type ApiCall = (typeof apiCalls)[number]

const dayMs = 24 * 60 * 60 * 1_000
const halfHourMs = 30 * 60 * 1_000
const few = 3

/** The API calls of the playground, before the token is added. */
function toWireRequest(call: ApiCall, now: Date): WireRequest {
  switch (call) {
    case 'profile':
      return { method: 'GET', url: readUserProfile.path, headers: {} }
    case 'meetings':
      return { method: 'GET', url: `${listMeetings.path.replace(':userId', 'me')}?limit=${few}`, headers: {} }
    case 'create': {
      const headers = { 'content-type': 'application/json' }
      return { method: 'POST', url: createMeeting.path, headers, body: JSON.stringify(meetingOfTomorrow(now), null, 2) }
    }
  }
}

function meetingOfTomorrow(now: Date) {
  const startsAt = new Date(now.getTime() + dayMs)
  return {
    topic: 'Playground',
    description: '',
    participants: [],
    startTime: startsAt.toISOString(),
    endTime: new Date(startsAt.getTime() + halfHourMs).toISOString(),
    isPinEnabled: true,
    advancedOptions: {},
    repeatOptions: { repeat: 'none', timeZone: 'UTC' },
  }
}

/** Refresh the tokens (RFC 6749, 6). */
export function RefreshStep({ playground, hidden }: StepProps) {
  const { t } = useTranslation('apps')
  const { tokens, exchanges, busy } = playground
  return (
    <Section title={t('refresh.title')}>
      <Text size="sm" c="dimmed" mb="md">
        {t('refresh.explanation')}
      </Text>
      <Button
        variant={exchanges.refresh === undefined ? 'filled' : 'default'}
        disabled={tokens === undefined}
        loading={busy === 'refresh'}
        onClick={playground.refresh}
      >
        {t('refresh.send')}
      </Button>
      <ExchangeView exchange={exchanges.refresh} hidden={hidden} />
    </Section>
  )
}

/** Revoke the token family (RFC 7009). */
export function RevokeStep({ playground, hidden }: StepProps) {
  const { t } = useTranslation('apps')
  const { tokens, exchanges, busy } = playground
  return (
    <Section title={t('revoke.title')}>
      <Text size="sm" c="dimmed" mb="md">
        {t('revoke.explanation')}
      </Text>
      <Button
        variant="outline"
        color="red"
        disabled={tokens === undefined}
        loading={busy === 'revoke'}
        onClick={playground.revoke}
      >
        {t('revoke.send')}
      </Button>
      <ExchangeView exchange={exchanges.revoke} hidden={hidden} />
    </Section>
  )
}

type ExchangeViewProps = { exchange: Exchange | undefined; hidden: readonly string[] }

/** A request and its response, side by side on wide screens. */
function ExchangeView({ exchange, hidden }: ExchangeViewProps) {
  const { t } = useTranslation('apps')
  return (
    <div role="status">
      {exchange !== undefined && (
        <div className={classes.exchange}>
          <div>
            <p className={classes.caption}>{t('wire.request')}</p>
            <CodeBlock wraps label={t('wire.request')} code={maskSecrets(writeRequest(exchange.request), hidden)} />
          </div>
          <div>
            <p className={classes.caption}>{t('wire.answer', { status: exchange.answer.status })}</p>
            <CodeBlock
              wraps
              label={t('wire.answer', { status: exchange.answer.status })}
              code={maskSecrets(writeAnswer(exchange.answer), hidden)}
            />
          </div>
        </div>
      )}
    </div>
  )
}
