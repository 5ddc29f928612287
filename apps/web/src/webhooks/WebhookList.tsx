import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import type { Webhook } from '@parley/contract'
import { IconExternalLink, IconPlus, IconWebhook } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { useDates } from '../texts/dates.ts'
import { SecretOnce } from '../ui/CopyField.tsx'
import { useNow } from '../ui/hooks/use-now.ts'
import { useReturnFocus } from '../ui/hooks/use-return-focus.ts'
import { Modal } from '../ui/Modal.tsx'
import { Page } from '../ui/Page.tsx'
import { RowSkeletons } from '../ui/PageSkeleton.tsx'
import { EmptyState, Row, Rows } from '../ui/Rows.tsx'
import { Section } from '../ui/Section.tsx'
import { WebhookForm, type WebhookValues, writtenFields } from './WebhookForm.tsx'
import { useStateReason, WebhookMark } from './WebhookState.tsx'
import classes from './Webhooks.module.css'
import { useCreateWebhook } from './webhook-mutations.ts'
import { namedOwner, type WebhookScope, webhooksQuery } from './webhook-queries.ts'

const minuteMs = 60_000

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
  const { relative } = useDates()
  const now = useNow(minuteMs)
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
        lastSuccessOn === null ? t('noSuccess') : t('lastSuccess', { distance: relative(lastSuccessOn, now) }),
        ...(reason === undefined ? [] : [reason]),
      ]}
    />
  )
}

type MakeWebhookDialogProps = { scope: WebhookScope; sandbox: boolean; onClose(): void }

const initialValues: WebhookValues = { url: '', description: '', extent: 'all', types: [], payload: 'thin' }

/**
 * The new secret replaces the form. Then only its own button closes the dialog, because the secret is never shown again.
 */
function MakeWebhookDialog({ scope, sandbox, onClose }: MakeWebhookDialogProps) {
  useReturnFocus()
  const { t } = useTranslation(['webhooks', 'app'])
  const [secret, setSecret] = useState<string>()
  const shown = secret !== undefined
  const make = useCreateWebhook({ onSaved: (made) => setSecret(made.secret) })
  const bodyOf = (values: WebhookValues) => ({
    ...writtenFields(values),
    ...namedOwner(scope),
    ...(sandbox && { sandbox }),
  })
  return (
    <Modal
      opened
      size="lg"
      onClose={onClose}
      title={t(shown ? 'made' : 'make')}
      closeOnClickOutside={false}
      closeOnEscape={!shown}
      withCloseButton={!shown}
      closeButtonProps={{ 'aria-label': t('app:close') }}
    >
      {shown ? (
        <SecretOnce label={t('secret.label')} secret={secret} onKept={onClose} />
      ) : (
        <WebhookForm
          initialValues={initialValues}
          submit={t('make')}
          error={make.error}
          busy={make.isPending}
          allowsHttp={sandbox || scope.kind !== 'app'}
          onSubmit={(values, onError) => make.mutate(bodyOf(values), { onError })}
          onCancel={onClose}
        />
      )}
    </Modal>
  )
}

/** The webhooks of the signed-in person. */
export function PersonalWebhooksPage() {
  const { t } = useTranslation(['webhooks', 'app'])
  return (
    <Page title={t('app:navigation.pages.webhooks')}>
      <WebhookList scope={{ kind: 'person' }} title={t('personal.title')} explanation={t('personal.explanation')} />
    </Page>
  )
}

/** The webhooks of the organisation, for administrators. */
export function OrganisationWebhooksPage() {
  const { t } = useTranslation(['webhooks', 'app'])
  return (
    <Page title={t('app:navigation.pages.webhooks')}>
      <WebhookList
        scope={{ kind: 'organisation' }}
        title={t('organisation.title')}
        explanation={t('organisation.explanation')}
      />
    </Page>
  )
}
