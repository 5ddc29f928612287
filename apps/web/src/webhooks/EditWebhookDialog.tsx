import { Modal } from '@mantine/core'
import { updateWebhook, type Webhook } from '@parley/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '../session/client.ts'
import { useMutation } from '../ui/hooks/use-mutation.ts'
import { useReturnFocus } from '../ui/hooks/use-return-focus.ts'
import { showToast } from '../ui/toast.ts'
import { WebhookForm } from './WebhookForm.tsx'
import { webhooksKey } from './webhook-queries.ts'
import { type WebhookValues, writtenFields } from './webhook-values.ts'

type EditWebhookDialogProps = { webhook: Webhook; onClose(): void }

/** Change the address, the types, the payload or the description of a webhook. */
export function EditWebhookDialog({ webhook, onClose }: EditWebhookDialogProps) {
  useReturnFocus()
  const { t } = useTranslation(['webhooks', 'app'])
  const queryClient = useQueryClient()
  const { _id: webhookId, url, description, types, payload, owner, sandbox } = webhook
  const save = useMutation({
    mutationFn: (values: WebhookValues) =>
      client.call(updateWebhook, { params: { webhookId }, body: writtenFields(values) }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: webhooksKey })
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
        onSubmit={(values, onError) => save.mutate(values, { onError })}
        onCancel={onClose}
      />
    </Modal>
  )
}
