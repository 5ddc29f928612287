import { Button, Group, List, Radio, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { ProblemError } from '@parley/client'
import { type BodyOf, deleteAccount, deleteOwnAccount } from '@parley/contract'
import { browserSupportsWebAuthn } from '@simplewebauthn/browser'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '../session/client.ts'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { useMail, usePerson } from '../session/session.ts'
import { PasskeyButton } from '../sign-in/PasskeyButton.tsx'
import { confirmByPasskey, type PasskeyResponse } from '../sign-in/request-passkey.ts'
import { useMutation } from '../ui/hooks/use-mutation.ts'
import { useReturnFocus } from '../ui/hooks/use-return-focus.ts'
import { focusFirstInvalid } from '../ui/keyboard/focus-first-invalid.ts'
import { Modal } from '../ui/Modal.tsx'
import { PasswordField } from '../ui/PasswordField.tsx'
import { passkeysQuery } from './security-queries.ts'

type DeleteAccountDialogProps = {
  account: { _id: string; email: string }
  /** True for the caller's own account, false when an administrator deletes another one. */
  own: boolean
  onDeleted(): void
  onClose(): void
}

type Deletion = Required<Pick<BodyOf<typeof deleteOwnAccount>, 'meetings'>> & { currentPassword: string }

/** List what is deleted, ask what to do with the meetings, and reauthenticate. This cannot be undone. */
export function DeleteAccountDialog({ account, own, onDeleted, onClose }: DeleteAccountDialogProps) {
  useReturnFocus()
  const { t } = useTranslation(['security', 'app'])
  const { mail } = useMail()
  const { email } = usePerson()
  const [credential, setCredential] = useState<PasskeyResponse>()
  const form = useForm<Deletion>({ initialValues: { meetings: 'cancel', currentPassword: '' } })
  const remove = useMutation({
    mutationFn: ({ meetings, currentPassword }: Deletion) => {
      const password = currentPassword !== '' && { currentPassword }
      const body = { meetings, ...(credential === undefined ? password : { credential }) }
      return own
        ? client.call(deleteOwnAccount, { body })
        : client.call(deleteAccount, { params: { userId: account._id }, body })
    },
    onSuccess: onDeleted,
    onError: (error) => {
      // A passkey assertion can be used once.
      setCredential(undefined)
      if (has(error, 'wrong_credentials')) form.setErrors({ currentPassword: t('security:password.wrong') })
      focusFirstInvalid()
    },
  })
  const isAtField = has(remove.error, 'wrong_credentials')
  return (
    <Modal
      opened
      onClose={onClose}
      title={t(own ? 'security:data.delete.question' : 'security:data.delete.questionOf', { email: account.email })}
      closeButtonProps={{ 'aria-label': t('app:close') }}
    >
      <form noValidate onSubmit={form.onSubmit((values) => remove.mutate(values), focusFirstInvalid)}>
        <ProblemAlert error={isAtField ? null : remove.error} />
        <List mb="md" spacing="xs">
          <List.Item>{t('security:data.delete.access')}</List.Item>
          <List.Item>{t('security:data.delete.apps')}</List.Item>
          <List.Item>{t(`security:data.delete.erased.${mail}`)}</List.Item>
        </List>
        <Radio.Group label={t('security:data.delete.meetings')} mb="md" {...form.getInputProps('meetings')}>
          <Stack gap="xs" mt="xs">
            <Radio value="cancel" label={t(`security:data.delete.cancel.${mail}`)} />
            <Radio value="hand_over" label={t('security:data.delete.handOver')} />
          </Stack>
        </Radio.Group>
        {credential !== undefined ? (
          <Text mb="md" role="status">
            {t('security:data.delete.confirmed')}
          </Text>
        ) : (
          <>
            {/* Tells password managers which account the password belongs to. */}
            <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
            <PasswordField
              label={t('security:data.delete.password')}
              autoComplete="current-password"
              mb="md"
              {...form.getInputProps('currentPassword')}
            />
            <PasskeyConfirmation onConfirmed={setCredential} />
          </>
        )}
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={onClose} data-autofocus>
            {t('app:cancel')}
          </Button>
          <Button type="submit" color="red" loading={remove.isPending}>
            {t('security:data.delete.confirm')}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}

const has = (error: unknown, code: string) => error instanceof ProblemError && error.problem.code === code

type PasskeyConfirmationProps = { onConfirmed(credential: PasskeyResponse): void }

/**
 * A button that reauthenticates with a passkey. Renders nothing when the account has none or the browser does not
 * support them.
 */
function PasskeyConfirmation({ onConfirmed }: PasskeyConfirmationProps) {
  const { t } = useTranslation('security')
  const { data: passkeys = [] } = useQuery(passkeysQuery)
  const { mutate, error, isPending } = useMutation({ mutationFn: confirmByPasskey, onSuccess: onConfirmed })
  const isOffered = browserSupportsWebAuthn() && passkeys.some(({ suspectedOn }) => suspectedOn === null)
  if (!isOffered) return null
  return <PasskeyButton label={t('data.delete.passkey')} pending={isPending} error={error} onPress={() => mutate()} />
}
