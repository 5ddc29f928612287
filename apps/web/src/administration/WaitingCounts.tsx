import { VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { reviewCountQuery } from '../reviews/review-queries.ts'
import { oauthRequestsQuery } from './account-queries.ts'
import classes from './WaitingCounts.module.css'

/** Answers take days, so polling this often is enough to follow other administrators and reviewers. */
const readEveryMs = 60_000

/** The number of pending OAuth requests next to the page's name, or nothing when there are none. */
export function OauthRequestCount() {
  const { t } = useTranslation('administration')
  const { data } = useQuery({ ...oauthRequestsQuery, refetchInterval: readEveryMs })
  const number = data?.totalCount ?? 0
  return <CountBadge number={number} words={t('requests.waiting', { number })} />
}

/** The number of apps that wait for a review, or nothing when there are none. */
export function ReviewCount() {
  const { t } = useTranslation('administration')
  const { data: number = 0 } = useQuery({ ...reviewCountQuery, refetchInterval: readEveryMs })
  return <CountBadge number={number} words={t('apps.waiting', { number })} />
}

function CountBadge({ number, words }: { number: number; words: string }) {
  if (number === 0) return null
  return (
    <span className={classes.count}>
      <span aria-hidden>{number}</span>
      <VisuallyHidden>{words}</VisuallyHidden>
    </span>
  )
}
