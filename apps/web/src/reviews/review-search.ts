export const queueStatuses = ['under_review', 'on_hold', 'all'] as const
export type QueueStatus = (typeof queueStatuses)[number]

/** Which apps are looked at; it stands in the address. What waits, and what is not known, are left out. */
export function readReviewSearch({ status }: Record<string, unknown>): { status?: QueueStatus } {
  const known = queueStatuses.find((one) => one === status)
  return known === undefined || known === 'under_review' ? {} : { status: known }
}
