import { useTranslation } from 'react-i18next'
import { Page } from '../ui/Page.tsx'
import { WebhookList } from './WebhookList.tsx'

const scope = { kind: 'organisation' } as const

/** The webhooks of the organisation, for administrators. */
export function OrganisationWebhooksPage() {
  const { t } = useTranslation(['webhooks', 'app'])
  return (
    <Page title={t('app:navigation.pages.webhooks')}>
      <WebhookList scope={scope} title={t('organisation.title')} explanation={t('organisation.explanation')} />
    </Page>
  )
}
