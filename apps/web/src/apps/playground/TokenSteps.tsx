import { Button, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Section } from '../../ui/Section.tsx'
import { ExchangeView } from './ExchangeView.tsx'
import type { Playground } from './use-playground.ts'

type StepProps = { playground: Playground; hidden: readonly string[] }

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
