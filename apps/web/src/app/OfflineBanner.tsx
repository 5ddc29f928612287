import { useNetwork } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import classes from './Banner.module.css'

/** Report a lost connection. TanStack Query pauses reads by itself. */
export function OfflineBanner() {
  const { t } = useTranslation()
  const { online } = useNetwork()
  return <div role="status">{online ? null : <p className={classes.banner}>{t('offline')}</p>}</div>
}
