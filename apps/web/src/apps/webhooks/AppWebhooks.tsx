import { Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { WebhookList } from '../../webhooks/WebhookList.tsx'

/** The webhooks of an app: those for its users, and those of its sandbox. */
export function AppWebhooks({ appId }: { appId: string }) {
  const { t } = useTranslation(['webhooks', 'apps', 'app'])
  const scope = { kind: 'app', appId } as const
  return (
    <Stack gap="lg">
      <WebhookList scope={scope} title={t('apps:live')} explanation={t('app.live')} />
      <WebhookList scope={scope} sandbox title={t('app:sandbox')} explanation={t('app.sandbox')} />
    </Stack>
  )
}
