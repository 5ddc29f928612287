import { Alert, Button } from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { ceremonyErrorOf } from './ceremony-error.ts'

type PasskeyButtonProps = { label: string; pending: boolean; error: unknown; onPress(): void }

/** A button that asks for a passkey, with the reason why the last attempt failed above it. */
export function PasskeyButton({ label, pending, error, onPress }: PasskeyButtonProps) {
  const words = useCeremonyWords()(error)
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
        loading={pending}
        onClick={onPress}
      >
        {label}
      </Button>
    </>
  )
}

/** The text for a failed WebAuthn ceremony; undefined for every other error. */
export function useCeremonyWords(): (error: unknown) => string | undefined {
  const { t } = useTranslation('accounts')
  return (error) => {
    const kind = ceremonyErrorOf(error)
    return kind === undefined ? undefined : t(`passkey.${kind}`)
  }
}
