import { Button, Group, Modal, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { ProblemError } from '@parley/client'
import { addPasskey, type Passkey, preparePasskey } from '@parley/contract'
import { type PublicKeyCredentialCreationOptionsJSON, startRegistration } from '@simplewebauthn/browser'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '../session/client.ts'
import { useFieldErrors } from '../session/field-errors.ts'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { useCeremonyWords } from '../sign-in/PasskeyButton.tsx'
import { useMutation } from '../ui/hooks/use-mutation.ts'
import { useReturnFocus } from '../ui/hooks/use-return-focus.ts'
import { focusFirstInvalid } from '../ui/keyboard/focus-first-invalid.ts'
import { PasswordField } from '../ui/PasswordField.tsx'
import { showToast } from '../ui/toast.ts'
import { securityKey } from './security-queries.ts'
import { useDeviceWords } from './use-device-words.ts'

/** Name the passkey, then open the browser's dialog. The password is requested only when the service requires it. */
export function AddPasskeyDialog({ onClose }: { onClose(): void }) {
  useReturnFocus()
  const { t } = useTranslation(['security', 'app', 'violations'])
  const { t: signInText } = useTranslation('sign-in')
  const queryClient = useQueryClient()
  const fieldErrors = useFieldErrors()
  const ceremonyWords = useCeremonyWords()
  const deviceWords = useDeviceWords()
  const form = useForm({
    initialValues: { name: deviceWords(navigator.userAgent), currentPassword: '' },
    validate: { name: (name) => (name.trim() === '' ? t('violations:required') : null) },
  })
  const make = useMutation({
    mutationFn: ({ name, currentPassword }: typeof form.values) =>
      makePasskey({ name: name.trim(), ...(currentPassword !== '' && { currentPassword }) }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: securityKey })
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
      <form noValidate onSubmit={form.onSubmit((values) => make.mutate(values), focusFirstInvalid)}>
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

/**
 * Create a passkey in the browser and register it with the service (WebAuthn Level 3, 7.1).
 *
 * @throws ProblemError when the service refuses; Error when the browser or its user declines
 */
async function makePasskey(wanted: { name: string; currentPassword?: string }): Promise<Passkey> {
  const { name, ...proof } = wanted
  const { publicKey } = await client.call(preparePasskey, { body: proof })
  // The contract's type of `transports` is narrower than the browser's, which validates it.
  const optionsJSON = publicKey as PublicKeyCredentialCreationOptionsJSON
  const { id, rawId, type, response, authenticatorAttachment } = await startRegistration({ optionsJSON })
  const { clientDataJSON, attestationObject, transports } = response
  const credential = {
    id,
    rawId,
    type,
    clientExtensionResults: {},
    authenticatorAttachment: authenticatorAttachment ?? null,
    response: { clientDataJSON, attestationObject, ...(transports !== undefined && { transports }) },
  }
  return client.call(addPasskey, { body: { name, credential } })
}
