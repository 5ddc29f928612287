import { Button, Group, Modal, Text, Textarea } from '@mantine/core'
import { type AccountSummary, declineOauthRequest } from '@parley/contract'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '../session/client.ts'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { useMail } from '../session/session.ts'
import { useMutation } from '../ui/hooks/use-mutation.ts'
import { useReturnFocus } from '../ui/hooks/use-return-focus.ts'
import { showToast } from '../ui/toast.ts'
import { accountName } from './account-name.ts'
import { accountsKey } from './account-queries.ts'

/** The API's limit. */
const maxReasonLength = 1_000

type DeclineDialogProps = { account: AccountSummary; onClose(): void }

/** Decline a request for OAuth. The applicant reads the reason. */
export function DeclineDialog({ account, onClose }: DeclineDialogProps) {
  const { t } = useTranslation(['administration', 'app'])
  const { mail } = useMail()
  useReturnFocus()
  const queryClient = useQueryClient()
  const [reason, setReason] = useState('')
  const name = accountName(account)
  const decline = useMutation({
    mutationFn: () =>
      client.call(declineOauthRequest, { params: { userId: account._id }, body: { reason: reason.trim() } }),
    onSuccess: () => {
      showToast({ message: t('requests.declined', { name }) })
      onClose()
    },
    // Another administrator may have decided in the meantime.
    onSettled: () => queryClient.invalidateQueries({ queryKey: accountsKey }),
  })
  const send = (event: FormEvent) => {
    event.preventDefault()
    decline.mutate()
  }
  return (
    <Modal
      opened
      title={t('requests.askDecline', { name })}
      onClose={onClose}
      closeButtonProps={{ 'aria-label': t('app:close') }}
    >
      <form noValidate onSubmit={send}>
        <ProblemAlert error={decline.error} />
        <Text mb="md">{t(`requests.declineExplanation.${mail}`)}</Text>
        <Textarea
          label={t('requests.reason')}
          description={t(`requests.reasonHint.${mail}`)}
          rows={3}
          maxLength={maxReasonLength}
          value={reason}
          data-autofocus
          onChange={({ currentTarget: { value } }) => setReason(value)}
        />
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={onClose}>
            {t('app:cancel')}
          </Button>
          <Button type="submit" color="red" loading={decline.isPending}>
            {t('app:decline')}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
