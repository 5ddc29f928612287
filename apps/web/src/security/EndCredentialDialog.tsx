import { Text } from '@mantine/core'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { useReturnFocus } from '../ui/hooks/use-return-focus.ts'
import { showToast } from '../ui/toast.ts'
import { type CredentialId, useEndCredential } from './security-mutations.ts'

type EndCredentialDialogProps = {
  title: string
  explanation: string
  confirm: string
  /** The toast's text on success. */
  done: string
  credential: CredentialId
  onClose(): void
}

/** Confirm the permanent removal of a credential. */
export function EndCredentialDialog({
  title,
  explanation,
  confirm,
  done,
  credential,
  onClose,
}: EndCredentialDialogProps) {
  useReturnFocus()
  const attempt = useEndCredential(credential, {
    onRefreshed: () => {
      showToast({ message: done })
      onClose()
    },
  })
  return (
    <ConfirmDialog
      opened
      dangerous
      title={title}
      confirm={confirm}
      busy={attempt.isPending}
      onConfirm={() => attempt.mutate()}
      onClose={onClose}
    >
      <ProblemAlert error={attempt.error} />
      <Text>{explanation}</Text>
    </ConfirmDialog>
  )
}
