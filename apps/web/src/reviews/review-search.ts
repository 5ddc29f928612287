export const queueStatuses = ['under_review', 'on_hold', 'all'] as const
export type QueueStatus = (typeof queueStatuses)[number]

/** The queue's filter in the address. The default and unknown values are dropped. */
export function readReviewSearch({ status }: Record<string, unknown>): { status?: QueueStatus } {
  const known = queueStatuses.find((one) => one === status)
  return known === undefined || known === 'under_review' ? {} : { status: known }
}
