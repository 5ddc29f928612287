import { Button, Group, NativeSelect, Stack } from '@mantine/core'
import type { ReviewSort } from '@parley/contract'
import { IconChecks, IconPuzzle } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type RefObject, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { useDates } from '../texts/dates.ts'
import { ColumnHead, DataTable, MainCell, mainLinkClass, type Order, QuietCell, SortField } from '../ui/DataTable.tsx'
import { useCommands } from '../ui/keyboard/commands.ts'
import { Page } from '../ui/Page.tsx'
import { RowSkeletons } from '../ui/PageSkeleton.tsx'
import { EmptyState } from '../ui/Rows.tsx'
import { Section } from '../ui/Section.tsx'
import { sortBy } from '../ui/sorting.ts'
import { ReviewDueBadge, ReviewMark } from './ReviewMark.tsx'
import { queueQuery, useClientName, type WaitingReview } from './review-queries.ts'
import { type QueueStatus, queueStatuses, type ReviewSearch, readReviewSearch } from './review-search.ts'

/** Which end of a column comes first: of the time, what has waited longest. */
const naturalOrders: Record<ReviewSort, Order> = { submittedOn: 'asc', name: 'asc', kind: 'asc' }

/** The reviewer's start page: the queue, against the promised 24 to 48 hours. */
export function ReviewsPage() {
  const { t } = useTranslation(['reviews', 'app'])
  const search = useSearch({ from: '/signed-in/reviews' })
  const { status = 'under_review', sort = 'submittedOn' } = search
  const navigate = useNavigate({ from: '/reviews' })
  const queue = useInfiniteQuery(queueQuery(search))
  const reviews = queue.data?.pages.flatMap((page) => page.reviews)
  const narrow = (to: Record<string, unknown>) => void navigate({ search: readReviewSearch(to), replace: true })
  const choose = (chosen: string) => narrow({ ...search, status: chosen })
  const sortQueue = (by: ReviewSort) =>
    narrow({ ...search, order: undefined, ...sortBy({ ...search, sort }, by, naturalOrders) })
  return (
    <Page title={t('app:navigation.pages.reviews')} caption={t('explanation')}>
      <Group component="search" mb="md">
        <NativeSelect
          label={t('filter.title')}
          value={status}
          data={queueStatuses.map((value) => ({ value, label: t(`filter.${value}`) }))}
          onChange={({ currentTarget: { value } }) => choose(value)}
        />
        <SortField
          label={t('app:sortBy')}
          value={sort}
          names={{ submittedOn: t('history.submitted'), name: t('app:name'), kind: t('app:what') }}
          onChange={sortQueue}
          direction={{ order: search.order ?? 'asc', reverse: t('app:reverseOrder') }}
        />
      </Group>
      <ProblemAlert error={queue.error} />
      {reviews === undefined && queue.error === null && (
        <Stack aria-busy="true">
          <RowSkeletons rows={4} />
        </Stack>
      )}
      {reviews?.length === 0 && <NothingWaits status={status} onAll={() => choose('all')} />}
      {reviews !== undefined && reviews.length > 0 && (
        <Section title={t(`filter.${status}`)}>
          <ReviewQueue reviews={reviews} search={search} onSort={sortQueue} />
        </Section>
      )}
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

type ReviewQueueProps = {
  reviews: readonly WaitingReview[]
  search: ReviewSearch
  onSort(by: ReviewSort): void
}

/** The pending reviews. */
function ReviewQueue({ reviews, search: { sort = 'submittedOn', ...search }, onSort }: ReviewQueueProps) {
  const { t } = useTranslation(['reviews', 'app', 'apps'])
  const list = useRef<HTMLDivElement>(null)
  useQueueKeys(list)
  const order: Order = search.order ?? 'asc'
  const by = (column: ReviewSort) => ({
    order: sort === column ? order : undefined,
    onSort: () => onSort(column),
  })
  return (
    <div ref={list}>
      <DataTable
        label={t('app:navigation.pages.reviews')}
        head={
          <>
            <ColumnHead sort={by('name')}>{t('app:name')}</ColumnHead>
            <ColumnHead from="tablet">{t('apps:field.owner')}</ColumnHead>
            <ColumnHead from="tablet" sort={by('kind')}>
              {t('app:what')}
            </ColumnHead>
            <ColumnHead from="desktop" width="moment" sort={by('submittedOn')}>
              {t('history.submitted')}
            </ColumnHead>
          </>
        }
      >
        {reviews.map((review) => (
          <ReviewRow key={review.appId} review={review} />
        ))}
      </DataTable>
    </div>
  )
}

function ReviewRow({ review }: { review: WaitingReview }) {
  const { t } = useTranslation('reviews')
  const { dateTime } = useDates()
  const clientName = useClientName()
  const { appId, name, owner, clientHost, status, submittedOn, isNew, revision } = review
  const kind = isNew ? t('new') : t('changed', { revision })
  const developer = owner === undefined ? clientName(clientHost) : `${owner.name} ${owner.lname}`.trim()
  return (
    <tr>
      <MainCell
        picture={<IconPuzzle size={20} />}
        name={
          <Link to="/reviews/$appId" params={{ appId }} className={mainLinkClass}>
            {name}
          </Link>
        }
        marks={
          status === 'under_review' ? <ReviewDueBadge submittedOn={submittedOn} /> : <ReviewMark status={status} />
        }
        below={
          <>
            <bdi>{developer}</bdi> · {kind}
          </>
        }
      />
      <QuietCell from="tablet" whole={developer}>
        <bdi>{developer}</bdi>
      </QuietCell>
      <QuietCell from="tablet" whole={kind}>
        {kind}
      </QuietCell>
      <QuietCell from="desktop">
        <time dateTime={submittedOn}>{dateTime(submittedOn)}</time>
      </QuietCell>
    </tr>
  )
}

/** Move through a list of links with j and k, as in mail programs. Enter follows the link. */
function useQueueKeys(list: RefObject<HTMLElement | null>): void {
  const { t } = useTranslation('reviews')
  const commands = useMemo(() => {
    const step = (by: 1 | -1) => {
      const links = [...(list.current?.querySelectorAll('a') ?? [])]
      const at = links.findIndex((link) => link.matches(':focus'))
      links[at === -1 ? 0 : Math.min(Math.max(at + by, 0), links.length - 1)]?.focus()
    }
    return [
      { id: 'review-down', label: t('keys.down'), keys: 'j', repeats: true, run: () => step(1) },
      { id: 'review-up', label: t('keys.up'), keys: 'k', repeats: true, run: () => step(-1) },
    ]
  }, [list, t])
  useCommands(commands)
}
