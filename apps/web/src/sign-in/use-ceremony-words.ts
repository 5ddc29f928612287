import { useTranslation } from 'react-i18next'
import { ceremonyErrorOf } from './ceremony-error.ts'

/** The text for a failed WebAuthn ceremony; undefined for every other error. */
export function useCeremonyWords(): (error: unknown) => string | undefined {
  const { t } = useTranslation('accounts')
  return (error) => {
    const kind = ceremonyErrorOf(error)
    return kind === undefined ? undefined : t(`passkey.${kind}`)
  }
}
