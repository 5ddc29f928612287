import { Button, Code, Group, Text } from '@mantine/core'
import type { Webhook } from '@parley/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useDateFormat } from '../ui/hooks/use-date-format.ts'
import { Section } from '../ui/Section.tsx'
import { DeleteWebhookDialog } from './DeleteWebhookDialog.tsx'
import { EditWebhookDialog } from './EditWebhookDialog.tsx'
import { RotateSecretDialog } from './RotateSecretDialog.tsx'
import { SwitchWebhook } from './SwitchWebhook.tsx'
import { WebhookMark } from './WebhookState.tsx'
import classes from './Webhooks.module.css'

type Dialog = 'edit' | 'rotate' | 'delete'

/** What a webhook is set to, and what its owner can do with it. */
export function WebhookFacts({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation(['webhooks', 'app'])
  const { day, moment } = useDateFormat()
  const [dialog, setDialog] = useState<Dialog>()
  const close = () => setDialog(undefined)
  const { url, types, payload, createdOn, lastSuccessOn, previousSecretUntil, owner, sandbox } = webhook
  return (
    <Section title={t('settings')} actions={<WebhookMark webhook={webhook} />}>
      <dl className={classes.facts}>
        <dt>{t('form.url')}</dt>
        <dd>
          <bdi dir="ltr">{url}</bdi>
        </dd>
        <dt>{t('form.eventsOf')}</dt>
        <dd>{t(owner === 'app' && sandbox ? 'owner.sandbox' : `owner.${owner}`)}</dd>
        <dt>{t('form.types')}</dt>
        <dd>
          {types.length === 0 ? (
            t('allTypes')
          ) : (
            <Group gap="xs">
              {types.map((type) => (
                <Code key={type} dir="ltr">
                  {type}
                </Code>
              ))}
            </Group>
          )}
        </dd>
        <dt>{t('form.payload')}</dt>
        <dd>{t(`payload.${payload}`)}</dd>
        <dt>{t('form.lastSuccess')}</dt>
        <dd>{lastSuccessOn === null ? t('noSuccess') : moment(lastSuccessOn)}</dd>
        <dt>{t('form.createdOn')}</dt>
        <dd>{day(createdOn)}</dd>
      </dl>
      {previousSecretUntil !== null && (
        <Text size="sm" c="dimmed" mt="sm">
          {t('secret.bothUntil', { moment: moment(previousSecretUntil) })}
        </Text>
      )}
      <Group gap="sm" mt="md">
        <Button variant="default" size="sm" onClick={() => setDialog('edit')}>
          {t('app:change')}
        </Button>
        <Button variant="default" size="sm" onClick={() => setDialog('rotate')}>
          {t('secret.rotate')}
        </Button>
        <SwitchWebhook webhook={webhook} />
        <Button variant="default" size="sm" c="var(--parley-danger)" onClick={() => setDialog('delete')}>
          {t('delete.begin')}
        </Button>
      </Group>
      {dialog === 'edit' && <EditWebhookDialog webhook={webhook} onClose={close} />}
      {dialog === 'rotate' && <RotateSecretDialog webhook={webhook} onClose={close} />}
      {dialog === 'delete' && <DeleteWebhookDialog webhook={webhook} onClose={close} />}
    </Section>
  )
}
