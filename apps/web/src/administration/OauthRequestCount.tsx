import { VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { oauthRequestsQuery } from './account-queries.ts'
import classes from './OauthRequestCount.module.css'

/** Requests are answered within days, so polling this often is enough to follow other administrators' decisions. */
const readEveryMs = 60_000

/** Show the number of pending OAuth requests next to the page's name, or nothing when there are none. */
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
