import { Text } from '@mantine/core'
import { deleteWebhook, type Webhook } from '@parley/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { client } from '../session/client.ts'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { useMutation } from '../ui/hooks/use-mutation.ts'
import { useReturnFocus } from '../ui/hooks/use-return-focus.ts'
import { showToast } from '../ui/toast.ts'
import { deliveriesKey, webhookQuery, webhooksKey } from './webhook-queries.ts'

type DeleteWebhookDialogProps = { webhook: Webhook; onClose(): void }

/** Delete a webhook after a confirmation, and go back to the list that it was in. */
export function DeleteWebhookDialog({ webhook, onClose }: DeleteWebhookDialogProps) {
  useReturnFocus()
  const { t } = useTranslation('webhooks')
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const { _id: webhookId, owner, appId, url } = webhook
  const goBack = () => {
    if (owner === 'organisation') return navigate({ to: '/administration/webhooks', replace: true })
    if (appId === null) return navigate({ to: '/security/webhooks', replace: true })
    return navigate({ to: '/developers/$appId', params: { appId }, search: { view: 'webhooks' }, replace: true })
  }
  const deletion = useMutation({
    mutationFn: () => client.call(deleteWebhook, { params: { webhookId } }),
    onSuccess: async () => {
      showToast({ message: t('delete.done') })
      await goBack()
      // Only once its page is gone, which would read it again.
      queryClient.removeQueries({ queryKey: webhookQuery(webhookId).queryKey })
      queryClient.removeQueries({ queryKey: deliveriesKey(webhookId) })
      await queryClient.invalidateQueries({ queryKey: webhooksKey })
    },
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
