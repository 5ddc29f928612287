import { useTranslation } from 'react-i18next'
import { ceremonyErrorOf } from './ceremony-error.ts'

/** Why the browser has made or used no passkey, as a sentence; undefined for every other error. */
export function useCeremonyWords(): (error: unknown) => string | undefined {
  const { t } = useTranslation('accounts')
  return (error) => {
    const kind = ceremonyErrorOf(error)
    return kind === undefined ? undefined : t(`passkey.${kind}`)
  }
}
