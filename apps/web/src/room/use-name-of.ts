import { useTranslation } from 'react-i18next'
import type { Named } from './GuestBadge.tsx'

/**
 * A person's name in a sentence. What a person without an account has entered could be the name of another person, and
 * is marked.
 */
export function useNameOf(): (person: Named) => string {
  const { t } = useTranslation(['room', 'app'])
  return ({ name, isGuest }) => {
    if (name === '') return t('app:guest')
    return isGuest ? t('guestName', { name }) : name
  }
}
