import { Button, Stack } from '@mantine/core'
import type { Webhook } from '@parley/contract'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { Page } from '../ui/Page.tsx'
import { RowSkeletons } from '../ui/PageSkeleton.tsx'
import { DeliveryLog } from './DeliveryLog.tsx'
import { WebhookFacts } from './WebhookFacts.tsx'
import { WebhookNotice } from './WebhookState.tsx'
import { webhookQuery } from './webhook-queries.ts'

/** One webhook of a person, an app or the organisation: its state, its settings and its log. */
export function WebhookPage() {
  const { t } = useTranslation('webhooks')
  const { webhookId } = useParams({ from: '/signed-in/webhooks/$webhookId' })
  const { data: webhook, error } = useQuery(webhookQuery(webhookId))
  return (
    <Page
      title={webhook === undefined ? t('title') : titleOf(webhook)}
      actions={webhook === undefined ? undefined : <BackButton webhook={webhook} />}
    >
      <ProblemAlert error={webhook === undefined ? error : null} />
      {webhook === undefined && error === null && (
        <Stack aria-busy="true">
          <RowSkeletons rows={5} />
        </Stack>
      )}
      {webhook !== undefined && (
        <>
          <WebhookNotice webhook={webhook} />
          <Stack gap="lg">
            <WebhookFacts webhook={webhook} />
            <DeliveryLog webhook={webhook} />
          </Stack>
        </>
      )}
    </Page>
  )
}

const titleOf = ({ description, url }: Webhook) => (description === '' ? new URL(url).host : description)

/** Leads to the list that the webhook is in. */
function BackButton({ webhook: { owner, appId } }: { webhook: Webhook }) {
  const { t } = useTranslation('webhooks')
  if (owner === 'organisation') {
    return (
      <Button variant="default" component={Link} to="/administration/webhooks">
        {t('back')}
      </Button>
    )
  }
  if (appId !== null) {
    return (
      <Button
        variant="default"
        renderRoot={(props) => (
          <Link to="/developers/$appId" params={{ appId }} search={{ view: 'webhooks' }} {...props} />
        )}
      >
        {t('back')}
      </Button>
    )
  }
  return (
    <Button variant="default" component={Link} to="/developers/webhooks">
      {t('back')}
    </Button>
  )
}
