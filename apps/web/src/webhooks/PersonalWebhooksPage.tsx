import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Page } from '../ui/Page.tsx'
import { WebhookList } from './WebhookList.tsx'

const scope = { kind: 'person' } as const

/** The webhooks of the signed-in person. */
export function PersonalWebhooksPage() {
  const { t } = useTranslation(['webhooks', 'app'])
  const back = (
    <Button variant="default" size="xs" component={Link} to="/security">
      {t('app:navigation.pages.security')}
    </Button>
  )
  return (
    <Page title={t('app:navigation.pages.webhooks')} actions={back}>
      <WebhookList scope={scope} title={t('personal.title')} explanation={t('personal.explanation')} />
    </Page>
  )
}
