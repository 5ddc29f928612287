import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core'
import { IconChecks } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Page } from '../ui/Page.tsx'
import { RowSkeletons } from '../ui/PageSkeleton.tsx'
import { ReviewQueue } from './ReviewQueue.tsx'
import { queueQuery } from './review-queries.ts'
import { type QueueStatus, queueStatuses, readReviewSearch } from './review-search.ts'

/** The reviewer's start page: the queue, against the promised 24 to 48 hours. */
export function ReviewsPage() {
  const { t } = useTranslation(['reviews', 'app'])
  const { status = 'under_review' } = useSearch({ from: '/house/reviews' })
  const navigate = useNavigate({ from: '/reviews' })
  const queue = useInfiniteQuery(queueQuery(status))
  const reviews = queue.data?.pages.flatMap((page) => page.reviews)
  const choose = (chosen: string) => void navigate({ search: readReviewSearch({ status: chosen }), replace: true })
  return (
    <Page title={t('app:navigation.pages.reviews')}>
      <Text c="dimmed" mb="md">
        {t('explanation')}
      </Text>
      <Group component="search" mb="md">
        <NativeSelect
          label={t('filter.title')}
          value={status}
          data={queueStatuses.map((value) => ({ value, label: t(`filter.${value}`) }))}
          onChange={({ currentTarget: { value } }) => choose(value)}
        />
      </Group>
      <ProblemAlert error={queue.error} />
      {reviews === undefined && queue.error === null && (
        <Stack aria-busy="true">
          <RowSkeletons rows={4} />
        </Stack>
      )}
      {reviews?.length === 0 && <NothingWaits status={status} onAll={() => choose('all')} />}
      {reviews !== undefined && reviews.length > 0 && <ReviewQueue reviews={reviews} />}
      {queue.hasNextPage && (
        <Group justify="center" mt="md">
          <Button variant="default" loading={queue.isFetchingNextPage} onClick={() => queue.fetchNextPage()}>
            {t('app:showMore')}
          </Button>
        </Group>
      )}
    </Page>
  )
}

function NothingWaits({ status, onAll }: { status: QueueStatus; onAll(): void }) {
  const { t } = useTranslation('reviews')
  return (
    <EmptyState
      icon={<IconChecks size={40} />}
      title={t(`empty.${status}`)}
      explanation={t('empty.explanation')}
      action={
        status !== 'all' && (
          <Button variant="default" onClick={onAll}>
            {t('empty.showAll')}
          </Button>
        )
      }
    />
  )
}
