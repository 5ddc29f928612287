import { Button, Group, Modal, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { inviteAccount } from '@parley/contract'
import { isEmailAddress } from '@parley/rules/text/email-address'
import { useTranslation } from 'react-i18next'
import { client } from '../session/client.ts'
import { useFieldErrors } from '../session/field-errors.ts'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { useSignInTexts } from '../session/sign-in-texts.ts'
import { useMutation } from '../ui/hooks/use-mutation.ts'
import { useReturnFocus } from '../ui/hooks/use-return-focus.ts'
import { focusFirstInvalid } from '../ui/keyboard/focus-first-invalid.ts'
import { showToast } from '../ui/toast.ts'

/** Mail a sign-up link. */
export function InviteAccountDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation(['administration', 'app', 'accounts'])
  const signInText = useSignInTexts()
  useReturnFocus()
  const fieldErrors = useFieldErrors()
  const form = useForm({
    initialValues: { email: '' },
    validate: { email: (email) => (isEmailAddress(email.trim()) ? null : t('accounts:emailInvalid')) },
  })
  const invite = useMutation({
    mutationFn: (email: string) => client.call(inviteAccount, { body: { email } }),
    onSuccess: (_reply, email) => {
      showToast({ message: t('administration:invite.done', { email }) })
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
      title={t('administration:invite.title')}
      onClose={onClose}
      closeButtonProps={{ 'aria-label': t('app:close') }}
    >
      <form noValidate onSubmit={form.onSubmit(({ email }) => invite.mutate(email.trim()), focusFirstInvalid)}>
        <ProblemAlert error={invite.error} />
        <Text mb="md">{t('administration:invite.explanation')}</Text>
        <TextInput
          type="email"
          label={signInText('email')}
          required
          data-autofocus
          dir="ltr"
          {...form.getInputProps('email')}
        />
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={onClose}>
            {t('app:cancel')}
          </Button>
          <Button type="submit" loading={invite.isPending}>
            {t('administration:invite.send')}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
