import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { inviteAccount } from '@parley/contract'
import { isEmailAddress } from '@parley/rules/text/email-address'
import { useTranslation } from 'react-i18next'
import { client } from '../session/client.ts'
import { useFieldErrors } from '../session/field-errors.ts'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { useMail } from '../session/session.ts'
import { CopyField } from '../ui/CopyField.tsx'
import { useMutation } from '../ui/hooks/use-mutation.ts'
import { useReturnFocus } from '../ui/hooks/use-return-focus.ts'
import { focusFirstInvalid } from '../ui/keyboard/focus-first-invalid.ts'
import { showToast } from '../ui/toast.ts'

/** Mail a sign-up link; where no email leaves the service, show it to the administrator. */
export function InviteAccountDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation(['administration', 'app', 'accounts'])
  const { mail } = useMail()
  const { t: signInText } = useTranslation('sign-in')
  useReturnFocus()
  const fieldErrors = useFieldErrors()
  const form = useForm({
    initialValues: { email: '' },
    validate: { email: (email) => (isEmailAddress(email.trim()) ? null : t('accounts:emailInvalid')) },
  })
  const invite = useMutation({
    mutationFn: (email: string) => client.call(inviteAccount, { body: { email } }),
    onSuccess: ({ link }, email) => {
      if (link !== undefined) return
      showToast({ message: t(`administration:invite.asked.${mail}`, { email }) })
      onClose()
    },
    onError: (error) => {
      form.setErrors(fieldErrors(error))
      focusFirstInvalid()
    },
  })
  const link = invite.data?.link
  return (
    <Modal
      opened
      title={t('administration:invite.title')}
      onClose={onClose}
      closeButtonProps={{ 'aria-label': t('app:close') }}
    >
      {link !== undefined ? (
        <Stack gap="md">
          <Text>{t('administration:invite.link', { email: invite.variables ?? '' })}</Text>
          <CopyField label={t('app:link')} value={link} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('app:close')}
            </Button>
          </Group>
        </Stack>
      ) : (
        <form noValidate onSubmit={form.onSubmit(({ email }) => invite.mutate(email.trim()), focusFirstInvalid)}>
          <ProblemAlert error={invite.error} />
          <Text mb="md">{t(`administration:invite.explanation.${mail}`)}</Text>
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
              {t(`administration:invite.send.${mail}`)}
            </Button>
          </Group>
        </form>
      )}
    </Modal>
  )
}
