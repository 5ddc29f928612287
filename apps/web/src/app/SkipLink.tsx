import { useTranslation } from 'react-i18next'
import classes from './SkipLink.module.css'

/** The first thing that Tab reaches. A link would change the address, which is the router's. */
export function SkipLink() {
  const { t } = useTranslation()
  return (
    <button type="button" className={classes.skip} onClick={() => document.querySelector('main')?.focus()}>
      {t('skip')}
    </button>
  )
}
