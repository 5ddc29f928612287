import { Button, Text } from '@mantine/core'
import { updateWebhook, type Webhook } from '@parley/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '../session/client.ts'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { useProblemWords } from '../session/problem-words.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { useMutation } from '../ui/hooks/use-mutation.ts'
import { showToast } from '../ui/toast.ts'
import { webhooksKey } from './webhook-queries.ts'

/** Switch a webhook on at once, or off after a confirmation, because what waits is given up. */
export function SwitchWebhook({ webhook: { _id: webhookId, state } }: { webhook: Webhook }) {
  const { t } = useTranslation('webhooks')
  const queryClient = useQueryClient()
  const problemWords = useProblemWords()
  const [isConfirming, setConfirming] = useState(false)
  const isOff = state === 'disabled'
  const change = useMutation({
    mutationFn: (active: boolean) => client.call(updateWebhook, { params: { webhookId }, body: { active } }),
    onSuccess: async (_, active) => {
      await queryClient.invalidateQueries({ queryKey: webhooksKey })
      setConfirming(false)
      showToast({ message: t(active ? 'switch.isOn' : 'switch.isOff') })
    },
    onError: (error, active) => {
      if (active) showToast({ kind: 'problem', message: problemWords(error) })
    },
  })
  return (
    <>
      <Button
        variant={isOff ? 'filled' : 'default'}
        size="sm"
        loading={change.isPending}
        onClick={() => (isOff ? change.mutate(true) : setConfirming(true))}
      >
        {t(isOff ? 'switch.on' : 'switch.off')}
      </Button>
      <ConfirmDialog
        opened={isConfirming}
        title={t('switch.askOff')}
        confirm={t('switch.off')}
        dangerous
        busy={change.isPending}
        onConfirm={() => change.mutate(false)}
        onClose={() => setConfirming(false)}
      >
        <ProblemAlert error={change.error} />
        <Text>{t('switch.offExplanation')}</Text>
      </ConfirmDialog>
    </>
  )
}
