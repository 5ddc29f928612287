import { VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { oauthRequestsQuery } from './account-queries.ts'
import classes from './OauthRequestCount.module.css'

/** A request is answered within days; the page of a colleague who decides meanwhile is up to date within this. */
const readEveryMs = 60_000

/** How many requests for OAuth wait for an administrator, beside the name of their page; nothing where none does. */
export function OauthRequestCount() {
  const { t } = useTranslation('administration')
  const { data } = useQuery({ ...oauthRequestsQuery, refetchInterval: readEveryMs })
  const number = data?.totalCount ?? 0
  if (number === 0) return null
  return (
    <span className={classes.count}>
      <span aria-hidden>{number}</span>
      <VisuallyHidden>{t('requests.waiting', { number })}</VisuallyHidden>
    </span>
  )
}
