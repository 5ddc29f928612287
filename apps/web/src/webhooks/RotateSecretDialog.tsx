import { Button, Group, Modal, Text } from '@mantine/core'
import { rotateWebhookSecret, type Webhook } from '@parley/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '../session/client.ts'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { useMutation } from '../ui/hooks/use-mutation.ts'
import { useReturnFocus } from '../ui/hooks/use-return-focus.ts'
import { SecretOnce } from '../ui/SecretOnce.tsx'
import { webhooksKey } from './webhook-queries.ts'

type RotateSecretDialogProps = { webhook: Webhook; onClose(): void }

/**
 * Replace the secret after a confirmation, and show the new one. Then only its own button closes the dialog, because the
 * secret is never shown again.
 */
export function RotateSecretDialog({ webhook, onClose }: RotateSecretDialogProps) {
  useReturnFocus()
  const { t } = useTranslation(['webhooks', 'app'])
  const queryClient = useQueryClient()
  const rotation = useMutation({
    mutationFn: () => client.call(rotateWebhookSecret, { params: { webhookId: webhook._id } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: webhooksKey }),
  })
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
