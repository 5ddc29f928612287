import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import type { Webhook } from '@parley/contract'
import { IconExternalLink, IconPlus, IconWebhook } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { useDateFormat } from '../ui/hooks/use-date-format.ts'
import { RowSkeletons } from '../ui/PageSkeleton.tsx'
import { Row, Rows } from '../ui/Rows.tsx'
import { Section } from '../ui/Section.tsx'
import { MakeWebhookDialog } from './MakeWebhookDialog.tsx'
import { useStateReason, WebhookMark } from './WebhookState.tsx'
import classes from './Webhooks.module.css'
import { type WebhookScope, webhooksQuery } from './webhook-queries.ts'

type WebhookListProps = {
  scope: WebhookScope
  /** Of an app, its webhooks for the sandbox or for the live app. */
  sandbox?: boolean
  title: string
  explanation: string
}

/** The webhooks of a person, an app or the organisation, and the button that creates one. */
export function WebhookList({ scope, sandbox = false, title, explanation }: WebhookListProps) {
  const { t } = useTranslation('webhooks')
  const { data, error } = useQuery(webhooksQuery(scope))
  const [making, setMaking] = useState(false)
  const webhooks = data?.filter((webhook) => webhook.sandbox === sandbox)
  const isEmpty = webhooks?.length === 0
  const make = (
    <Button
      variant={isEmpty ? 'filled' : 'default'}
      size="sm"
      leftSection={<IconPlus size={18} aria-hidden />}
      onClick={() => setMaking(true)}
    >
      {t('make')}
    </Button>
  )
  return (
    <Section title={title} actions={webhooks === undefined || isEmpty ? undefined : make}>
      <Text c="dimmed" mb="sm">
        {explanation}
      </Text>
      <ProblemAlert error={error} />
      {webhooks === undefined && error === null && (
        <Stack aria-busy="true">
          <RowSkeletons rows={2} />
        </Stack>
      )}
      {isEmpty && (
        <EmptyState
          icon={<IconWebhook size={40} />}
          title={t('none')}
          explanation={t('noneExplanation')}
          action={
            <Group justify="center" gap="md">
              {make}
              <DocumentationLink />
            </Group>
          }
        />
      )}
      {webhooks !== undefined && !isEmpty && (
        <>
          <Rows label={title}>
            {webhooks.map((webhook) => (
              <WebhookRow key={webhook._id} webhook={webhook} />
            ))}
          </Rows>
          <Text size="sm" mt="md">
            <DocumentationLink />
          </Text>
        </>
      )}
      {making && <MakeWebhookDialog scope={scope} sandbox={sandbox} onClose={() => setMaking(false)} />}
    </Section>
  )
}

function DocumentationLink() {
  const { t } = useTranslation('webhooks')
  return (
    <Anchor href="/docs/webhooks" target="_blank" underline="always" ta="center">
      {t('documentation')} <IconExternalLink size={14} aria-hidden />
    </Anchor>
  )
}

function WebhookRow({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation('webhooks')
  const { distance } = useDateFormat()
  const reasonOf = useStateReason()
  const { _id, url, description, types, lastSuccessOn } = webhook
  const reason = reasonOf(webhook)
  return (
    <Row
      icon={<IconWebhook size={20} />}
      name={
        <Link to="/webhooks/$webhookId" params={{ webhookId: _id }} className={classes.address} dir="ltr">
          {url}
        </Link>
      }
      marks={<WebhookMark webhook={webhook} />}
      details={[
        ...(description === '' ? [] : [description]),
        types.length === 0 ? t('allTypes') : types.join(' · '),
        lastSuccessOn === null ? t('noSuccess') : t('lastSuccess', { distance: distance(lastSuccessOn) }),
        ...(reason === undefined ? [] : [reason]),
      ]}
    />
  )
}
