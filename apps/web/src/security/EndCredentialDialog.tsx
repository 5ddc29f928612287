import { Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { useMutation } from '../ui/hooks/use-mutation.ts'
import { useReturnFocus } from '../ui/hooks/use-return-focus.ts'
import { showToast } from '../ui/toast.ts'
import { securityKey } from './security-queries.ts'

type EndCredentialDialogProps = {
  title: string
  explanation: string
  confirm: string
  /** The toast's text on success. */
  done: string
  end(): Promise<unknown>
  onClose(): void
}

/** Confirm the permanent removal of a credential. */
export function EndCredentialDialog({ title, explanation, confirm, done, end, onClose }: EndCredentialDialogProps) {
  useReturnFocus()
  const queryClient = useQueryClient()
  const attempt = useMutation({
    mutationFn: end,
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: securityKey })
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
