import { Alert, Text } from '@mantine/core'
import type { Webhook } from '@parley/contract'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useDates } from '../texts/dates.ts'
import { Mark, type Tone } from '../ui/Mark.tsx'

const tones: Record<Webhook['state'], Tone> = { active: 'good', failing: 'caution', disabled: 'danger' }

export function WebhookMark({ webhook: { state } }: { webhook: Webhook }) {
  const { t } = useTranslation('webhooks')
  return <Mark tone={tones[state]}>{t(`state.${state}`)}</Mark>
}

/** Return why a webhook does not deliver, in a sentence; undefined for one that does. */
export function useStateReason(): (webhook: Webhook) => string | undefined {
  const { t } = useTranslation('webhooks')
  const { dateTime } = useDates()
  return ({ state, disabledBecause, failingSince }) => {
    if (state === 'disabled') return t(`disabled.${disabledBecause ?? 'owner'}`)
    if (state === 'failing' && failingSince !== null) return t('failingSince', { moment: dateTime(failingSince) })
    return undefined
  }
}

/** Why a webhook does not deliver, and what its owner can do about it. */
export function WebhookNotice({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation('webhooks')
  const reasonOf = useStateReason()
  const reason = reasonOf(webhook)
  const { state, disabledBecause } = webhook
  if (reason === undefined) return null
  return (
    <Alert
      color={state === 'disabled' ? 'red' : 'yellow'}
      icon={<IconAlertTriangle aria-hidden />}
      // Mantine's yellow has too little contrast on its light background.
      styles={{ icon: { color: 'var(--mantine-color-text)' } }}
      mb="md"
      role="note"
    >
      <Text>{reason}</Text>
      <Text mt="xs">{t(state === 'disabled' ? `remedy.${disabledBecause ?? 'owner'}` : 'remedy.failing')}</Text>
    </Alert>
  )
}
