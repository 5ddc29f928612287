import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import classes from './Brand.module.css'

export function Brand() {
  const { t } = useTranslation()
  return (
    <Link to="/" className={classes.brand}>
      <span className={classes.mark} aria-hidden />
      {t('product')}
    </Link>
  )
}
