import { Button, Code, Group, Text } from '@mantine/core'
import type { Webhook } from '@parley/contract'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { useProblemWords } from '../session/problem-words.ts'
import { useDates } from '../texts/dates.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { SecretOnce } from '../ui/CopyField.tsx'
import { useReturnFocus } from '../ui/hooks/use-return-focus.ts'
import { Modal } from '../ui/Modal.tsx'
import { Section } from '../ui/Section.tsx'
import { showToast } from '../ui/toast.ts'
import { WebhookForm, writtenFields } from './WebhookForm.tsx'
import { WebhookMark } from './WebhookState.tsx'
import classes from './Webhooks.module.css'
import { useDeleteWebhook, useRotateWebhookSecret, useUpdateWebhook } from './webhook-mutations.ts'

type Dialog = 'edit' | 'rotate' | 'delete'

/** What a webhook is set to, and what its owner can do with it. */
export function WebhookFacts({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation(['webhooks', 'app'])
  const { date, dateTime } = useDates()
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
        <dd>{lastSuccessOn === null ? t('noSuccess') : dateTime(lastSuccessOn)}</dd>
        <dt>{t('form.createdOn')}</dt>
        <dd>{date(createdOn)}</dd>
      </dl>
      {previousSecretUntil !== null && (
        <Text size="sm" c="dimmed" mt="sm">
          {t('secret.bothUntil', { moment: dateTime(previousSecretUntil) })}
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

/** Switch a webhook on at once, or off after a confirmation, because what waits is given up. */
function SwitchWebhook({ webhook: { _id: webhookId, state } }: { webhook: Webhook }) {
  const { t } = useTranslation('webhooks')
  const problemWords = useProblemWords()
  const [isConfirming, setConfirming] = useState(false)
  const isOff = state === 'disabled'
  const change = useUpdateWebhook(webhookId, {
    onRefreshed: (_, { active }) => {
      setConfirming(false)
      showToast({ message: t(active ? 'switch.isOn' : 'switch.isOff') })
    },
    onError: (error, { active }) => {
      if (active) showToast({ kind: 'problem', message: problemWords(error) })
    },
  })
  return (
    <>
      <Button
        variant={isOff ? 'filled' : 'default'}
        size="sm"
        loading={change.isPending}
        onClick={() => (isOff ? change.mutate({ active: true }) : setConfirming(true))}
      >
        {t(isOff ? 'switch.on' : 'switch.off')}
      </Button>
      <ConfirmDialog
        opened={isConfirming}
        title={t('switch.askOff')}
        confirm={t('switch.off')}
        dangerous
        busy={change.isPending}
        onConfirm={() => change.mutate({ active: false })}
        onClose={() => setConfirming(false)}
      >
        <ProblemAlert error={change.error} />
        <Text>{t('switch.offExplanation')}</Text>
      </ConfirmDialog>
    </>
  )
}

type EditWebhookDialogProps = { webhook: Webhook; onClose(): void }

/** Change the address, the types, the payload or the description of a webhook. */
function EditWebhookDialog({ webhook, onClose }: EditWebhookDialogProps) {
  useReturnFocus()
  const { t } = useTranslation(['webhooks', 'app'])
  const { _id: webhookId, url, description, types, payload, owner, sandbox } = webhook
  const save = useUpdateWebhook(webhookId, {
    onRefreshed: () => {
      showToast({ message: t('saved') })
      onClose()
    },
  })
  return (
    <Modal
      opened
      size="lg"
      onClose={onClose}
      title={t('editTitle')}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': t('app:close') }}
    >
      <WebhookForm
        initialValues={{ url, description, payload, types, extent: types.length === 0 ? 'all' : 'some' }}
        submit={t('app:saveChanges')}
        error={save.error}
        busy={save.isPending}
        allowsHttp={sandbox || owner === 'person' || owner === 'organisation'}
        onSubmit={(values, onError) => save.mutate(writtenFields(values), { onError })}
        onCancel={onClose}
      />
    </Modal>
  )
}

type RotateSecretDialogProps = { webhook: Webhook; onClose(): void }

/**
 * Replace the secret after a confirmation, and show the new one. Then only its own button closes the dialog, because the
 * secret is never shown again.
 */
function RotateSecretDialog({ webhook, onClose }: RotateSecretDialogProps) {
  useReturnFocus()
  const { t } = useTranslation(['webhooks', 'app'])
  const rotation = useRotateWebhookSecret(webhook._id)
  const secret = rotation.data?.secret
  const shown = secret !== undefined
  return (
    <Modal
      opened
      onClose={onClose}
      title={t(shown ? 'secret.rotated' : 'secret.askRotate')}
      closeOnClickOutside={!shown}
      closeOnEscape={!shown}
      withCloseButton={!shown}
      closeButtonProps={{ 'aria-label': t('app:close') }}
    >
      {shown ? (
        <>
          <Text mb="md">{t('secret.bothSign')}</Text>
          <SecretOnce label={t('secret.label')} secret={secret} onKept={onClose} />
        </>
      ) : (
        <>
          <ProblemAlert error={rotation.error} />
          <Text>{t('secret.rotateExplanation')}</Text>
          {webhook.previousSecretUntil !== null && <Text mt="sm">{t('secret.endsPrevious')}</Text>}
          <Group justify="flex-end" mt="lg">
            <Button variant="default" onClick={onClose} data-autofocus>
              {t('app:cancel')}
            </Button>
            <Button loading={rotation.isPending} onClick={() => rotation.mutate()}>
              {t('secret.rotate')}
            </Button>
          </Group>
        </>
      )}
    </Modal>
  )
}

type DeleteWebhookDialogProps = { webhook: Webhook; onClose(): void }

/** Delete a webhook after a confirmation, and go back to the list that it was in. */
function DeleteWebhookDialog({ webhook, onClose }: DeleteWebhookDialogProps) {
  useReturnFocus()
  const { t } = useTranslation('webhooks')
  const navigate = useNavigate()
  const { _id: webhookId, owner, appId, url } = webhook
  const goBack = () => {
    if (owner === 'organisation') return navigate({ to: '/administration/webhooks', replace: true })
    if (appId === null) return navigate({ to: '/developers/webhooks', replace: true })
    return navigate({ to: '/developers/$appId', params: { appId }, search: { view: 'webhooks' }, replace: true })
  }
  const deletion = useDeleteWebhook(webhookId, () => {
    showToast({ message: t('delete.done') })
    return goBack()
  })
  return (
    <ConfirmDialog
      opened
      title={t('delete.question')}
      confirm={t('delete.confirm')}
      dangerous
      busy={deletion.isPending}
      onConfirm={() => deletion.mutate()}
      onClose={onClose}
    >
      <ProblemAlert error={deletion.error} />
      <Text style={{ overflowWrap: 'anywhere' }}>{t('delete.explanation', { url })}</Text>
    </ConfirmDialog>
  )
}
