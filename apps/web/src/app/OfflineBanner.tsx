import { useNetwork } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import classes from './OfflineBanner.module.css'

/** Reads wait for the connection by themselves (TanStack Query); this says so. */
export function OfflineBanner() {
  const { t } = useTranslation()
  const { online } = useNetwork()
  return <div role="status">{online ? null : <p className={classes.banner}>{t('offline')}</p>}</div>
}
