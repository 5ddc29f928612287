import { browserSupportsWebAuthn } from '@simplewebauthn/browser'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { PasskeyButton } from '../sign-in/PasskeyButton.tsx'
import { confirmByPasskey, type PasskeyResponse } from '../sign-in/request-passkey.ts'
import { useMutation } from '../ui/hooks/use-mutation.ts'
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
  const isOffered = browserSupportsWebAuthn() && passkeys.some(({ suspectedOn }) => suspectedOn === null)
  if (!isOffered) return null
  return <PasskeyButton label={t('data.delete.passkey')} pending={isPending} error={error} onPress={() => mutate()} />
}
