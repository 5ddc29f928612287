import { useTranslation } from 'react-i18next'
import classes from './SkipLink.module.css'

/** The first element in tab order. It is a button because a link would change the router's address. */
export function SkipLink() {
  const { t } = useTranslation()
  return (
    <button type="button" className={classes.skip} onClick={() => document.querySelector('main')?.focus()}>
      {t('skip')}
    </button>
  )
}
