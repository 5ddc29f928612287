import { type ReviewSort, reviewSorts } from '@parley/contract'
import { readSorting, type Sorting } from '../ui/sorting.ts'

export const queueStatuses = ['under_review', 'on_hold', 'all'] as const
export type QueueStatus = (typeof queueStatuses)[number]

export type ReviewSearch = { status?: QueueStatus } & Sorting<ReviewSort>

/** The queue's filter and order in the address. Defaults and unknown values are dropped. */
export function readReviewSearch({ status, ...sorting }: Record<string, unknown>): ReviewSearch {
  const known = queueStatuses.find((one) => one === status)
  return {
    ...(known !== undefined && known !== 'under_review' && { status: known }),
    ...readSorting(reviewSorts, sorting),
  }
}
