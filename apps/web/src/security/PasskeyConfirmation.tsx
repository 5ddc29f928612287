import { Alert, Button } from '@mantine/core'
import { browserSupportsWebAuthn } from '@simplewebauthn/browser'
import { IconFingerprint } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { confirmByPasskey, type PasskeyResponse } from '../sign-in/request-passkey.ts'
import { useCeremonyWords } from '../sign-in/use-ceremony-words.ts'
import { passkeysQuery } from './security-queries.ts'

type PasskeyConfirmationProps = { onConfirmed(credential: PasskeyResponse): void }

/**
 * A button that reauthenticates with a passkey. Renders nothing when the account has none or the browser does not
 * support them.
 */
export function PasskeyConfirmation({ onConfirmed }: PasskeyConfirmationProps) {
  const { t } = useTranslation('security')
  const { data: passkeys = [] } = useQuery(passkeysQuery)
  const { mutate, error, isPending } = useMutation({ mutationFn: confirmByPasskey, onSuccess: onConfirmed })
  const words = useCeremonyWords()(error)
  const isOffered = browserSupportsWebAuthn() && passkeys.some(({ suspectedOn }) => suspectedOn === null)
  if (!isOffered) return null
  return (
    <>
      {words === undefined && <ProblemAlert error={error} />}
      <div role="alert">
        {words !== undefined && (
          <Alert color="yellow" variant="light" role="presentation" mb="md">
            {words}
          </Alert>
        )}
      </div>
      <Button
        variant="default"
        fullWidth
        leftSection={<IconFingerprint size={18} aria-hidden />}
        loading={isPending}
        onClick={() => mutate()}
      >
        {t('data.delete.passkey')}
      </Button>
    </>
  )
}
