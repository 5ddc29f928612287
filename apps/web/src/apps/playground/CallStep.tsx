import { Button, Group, NativeSelect, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNow } from '../../ui/hooks/use-now.ts'
import { Section } from '../../ui/Section.tsx'
import { type ApiCall, apiCalls, toWireRequest } from './api-calls.ts'
import { ExchangeView } from './ExchangeView.tsx'
import type { Playground } from './use-playground.ts'

const minuteMs = 60 * 1_000

type StepProps = { playground: Playground; hidden: readonly string[] }

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
