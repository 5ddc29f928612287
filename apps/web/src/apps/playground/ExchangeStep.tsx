import { Button, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Section } from '../../ui/Section.tsx'
import { ExchangeView } from './ExchangeView.tsx'
import type { Playground } from './use-playground.ts'

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
