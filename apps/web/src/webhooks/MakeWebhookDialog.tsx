import { Modal } from '@mantine/core'
import { createWebhook } from '@parley/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '../session/client.ts'
import { useMutation } from '../ui/hooks/use-mutation.ts'
import { useReturnFocus } from '../ui/hooks/use-return-focus.ts'
import { SecretOnce } from '../ui/SecretOnce.tsx'
import { WebhookForm } from './WebhookForm.tsx'
import { namedOwner, type WebhookScope, webhooksKey } from './webhook-queries.ts'
import { type WebhookValues, writtenFields } from './webhook-values.ts'

type MakeWebhookDialogProps = { scope: WebhookScope; sandbox: boolean; onClose(): void }

const initialValues: WebhookValues = { url: '', description: '', extent: 'all', types: [], payload: 'thin' }

/**
 * The new secret replaces the form. Then only its own button closes the dialog, because the secret is never shown again.
 */
export function MakeWebhookDialog({ scope, sandbox, onClose }: MakeWebhookDialogProps) {
  useReturnFocus()
  const { t } = useTranslation(['webhooks', 'app'])
  const queryClient = useQueryClient()
  const [secret, setSecret] = useState<string>()
  const shown = secret !== undefined
  const make = useMutation({
    mutationFn: (values: WebhookValues) =>
      client.call(createWebhook, {
        body: { ...writtenFields(values), ...namedOwner(scope), ...(sandbox && { sandbox }) },
      }),
    onSuccess: (made) => {
      setSecret(made.secret)
      return queryClient.invalidateQueries({ queryKey: webhooksKey })
    },
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
          onSubmit={(values, onError) => make.mutate(values, { onError })}
          onCancel={onClose}
        />
      )}
    </Modal>
  )
}
