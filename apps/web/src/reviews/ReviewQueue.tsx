import { Group, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import classes from '../apps/AppList.module.css'
import { useDateFormat } from '../ui/hooks/use-date-format.ts'
import { ReviewDueBadge } from './ReviewDueBadge.tsx'
import { ReviewMark } from './ReviewMark.tsx'
import type { WaitingReview } from './review-queries.ts'
import { useClientName } from './use-client-name.ts'
import { useQueueKeys } from './use-queue-keys.ts'

/** The pending reviews, longest waiting first; each whole row is a link. */
export function ReviewQueue({ reviews }: { reviews: readonly WaitingReview[] }) {
  const { t } = useTranslation(['reviews', 'app'])
  const { moment } = useDateFormat()
  const clientName = useClientName()
  const list = useRef<HTMLUListElement>(null)
  useQueueKeys(list)
  return (
    <ul className={classes.apps} ref={list} aria-label={t('app:navigation.pages.reviews')}>
      {reviews.map(({ appId, name, owner, clientHost, status, submittedOn, isNew, revision }) => (
        <li key={appId} className={classes.row}>
          <div className={classes.facts}>
            <Link to="/reviews/$appId" params={{ appId }} className={classes.name}>
              <bdi>{name}</bdi>
            </Link>
            <Text c="dimmed" size="sm">
              {isNew ? t('new') : t('changed', { revision })} ·{' '}
              <bdi>{owner === undefined ? clientName(clientHost) : `${owner.name} ${owner.lname}`.trim()}</bdi> ·{' '}
              {t('submitted', { moment: moment(submittedOn) })}
            </Text>
          </div>
          <Group gap="xs">
            {status === 'under_review' ? <ReviewDueBadge submittedOn={submittedOn} /> : <ReviewMark status={status} />}
          </Group>
        </li>
      ))}
    </ul>
  )
}
