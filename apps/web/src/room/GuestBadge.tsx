import { useTranslation } from 'react-i18next'
import classes from './GuestBadge.module.css'

export type Named = { name: string; isGuest: boolean }

/** Stands beside the name of a person without an account. */
export function GuestBadge({ person: { name, isGuest } }: { person: Named }) {
  const { t } = useTranslation('app')
  // A guest without a name is called "Guest" already.
  return isGuest && name !== '' ? <span className={classes.guest}>{t('guest')}</span> : null
}
