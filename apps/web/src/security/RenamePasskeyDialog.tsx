import { Button, Group, Modal, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { type Passkey, renamePasskey } from '@parley/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '../session/client.ts'
import { useFieldErrors } from '../session/field-errors.ts'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { useMutation } from '../ui/hooks/use-mutation.ts'
import { useReturnFocus } from '../ui/hooks/use-return-focus.ts'
import { focusFirstInvalid } from '../ui/keyboard/focus-first-invalid.ts'
import { showToast } from '../ui/toast.ts'
import { passkeysQuery } from './security-queries.ts'

type RenamePasskeyDialogProps = { passkey: Passkey; onClose(): void }

export function RenamePasskeyDialog({ passkey: { _id, name: before }, onClose }: RenamePasskeyDialogProps) {
  useReturnFocus()
  const { t } = useTranslation(['security', 'app', 'violations'])
  const queryClient = useQueryClient()
  const fieldErrors = useFieldErrors()
  const form = useForm({
    initialValues: { name: before },
    validate: { name: (name) => (name.trim() === '' ? t('violations:required') : null) },
  })
  const rename = async (name: string) => {
    await client.call(renamePasskey, { params: { passkeyId: _id }, body: { name } })
    await queryClient.invalidateQueries({ queryKey: passkeysQuery.queryKey })
  }
  const attempt = useMutation({
    mutationFn: ({ name }: typeof form.values) => rename(name.trim()),
    onSuccess: () => {
      const undo = () => void rename(before).catch(() => showToast({ kind: 'problem', message: t('app:undoFailed') }))
      showToast({ message: t('security:passkeys.renamed'), undo })
      onClose()
    },
    onError: (error) => {
      form.setErrors(fieldErrors(error))
      focusFirstInvalid()
    },
  })
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('security:passkeys.renameTitle')}
      closeButtonProps={{ 'aria-label': t('app:close') }}
    >
      <form noValidate onSubmit={form.onSubmit((values) => attempt.mutate(values), focusFirstInvalid)}>
        <ProblemAlert error={attempt.error} />
        <TextInput label={t('app:name')} required data-autofocus {...form.getInputProps('name')} />
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={onClose}>
            {t('app:cancel')}
          </Button>
          <Button type="submit" loading={attempt.isPending}>
            {t('security:passkeys.rename')}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
