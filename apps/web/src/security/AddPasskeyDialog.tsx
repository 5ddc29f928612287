import { Button, Group, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { ProblemError } from '@parley/client'
import { useTranslation } from 'react-i18next'
import { useFieldErrors } from '../session/field-errors.ts'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { useCeremonyWords } from '../sign-in/PasskeyButton.tsx'
import { useReturnFocus } from '../ui/hooks/use-return-focus.ts'
import { focusFirstInvalid } from '../ui/keyboard/focus-first-invalid.ts'
import { Modal } from '../ui/Modal.tsx'
import { PasswordField } from '../ui/PasswordField.tsx'
import { showToast } from '../ui/toast.ts'
import { useAddPasskey } from './security-mutations.ts'
import { useDeviceWords } from './use-device-words.ts'

/** Name the passkey, then open the browser's dialog. The password is requested only when the service requires it. */
export function AddPasskeyDialog({ onClose }: { onClose(): void }) {
  useReturnFocus()
  const { t } = useTranslation(['security', 'app', 'violations'])
  const { t: signInText } = useTranslation('sign-in')
  const fieldErrors = useFieldErrors()
  const ceremonyWords = useCeremonyWords()
  const deviceWords = useDeviceWords()
  const form = useForm({
    initialValues: { name: deviceWords(navigator.userAgent), currentPassword: '' },
    validate: { name: (name) => (name.trim() === '' ? t('violations:required') : null) },
  })
  const make = useAddPasskey({
    onRefreshed: () => {
      showToast({ message: t('security:passkeys.added') })
      onClose()
    },
    onError: (error) => {
      form.setErrors(
        has(error, 'wrong_credentials') ? { currentPassword: t('security:password.wrong') } : fieldErrors(error),
      )
      focusFirstInvalid()
    },
  })
  const send = ({ name, currentPassword }: typeof form.values) =>
    make.mutate({ name: name.trim(), ...(currentPassword !== '' && { currentPassword }) })
  const needsReauthentication = has(make.error, 'recent_sign_in_required')
  const wrong = has(make.error, 'wrong_credentials')
  const needsPassword = needsReauthentication || wrong || form.values.currentPassword !== ''
  const words = ceremonyWords(make.error)
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('security:passkeys.add')}
      closeButtonProps={{ 'aria-label': t('app:close') }}
    >
      <form noValidate onSubmit={form.onSubmit(send, focusFirstInvalid)}>
        {words === undefined && !needsReauthentication && !wrong && <ProblemAlert error={make.error} />}
        <div role="alert">
          {words !== undefined && (
            <Text c="var(--parley-danger)" mb="md">
              {words}
            </Text>
          )}
          {needsReauthentication && <Text mb="md">{t('security:passkeys.passwordNeeded')}</Text>}
        </div>
        <TextInput
          label={t('app:name')}
          description={t('security:passkeys.nameExplanation')}
          required
          data-autofocus
          mb="md"
          {...form.getInputProps('name')}
        />
        {needsPassword && (
          <PasswordField
            label={signInText('password')}
            autoComplete="current-password"
            autoFocus
            required
            mb="md"
            {...form.getInputProps('currentPassword')}
          />
        )}
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={onClose}>
            {t('app:cancel')}
          </Button>
          <Button type="submit" loading={make.isPending}>
            {t('app:continue')}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}

const has = (error: unknown, code: string) => error instanceof ProblemError && error.problem.code === code
