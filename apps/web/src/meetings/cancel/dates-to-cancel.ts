export type Dated = { startTime: string; endTime: string; originalStartTime?: string }

/** How much of a series is cancelled. */
export type Extent = 'next' | 'all' | 'one'

/**
 * Return the dates to cancel. `ahead` are the dates that have not ended, in order. The next date is cancelled even
 * while it runs; cancelling all keeps a date that has begun.
 */
export function datesToCancel(ahead: readonly Dated[], extent: Extent, chosen: string, now: Date): readonly Dated[] {
  switch (extent) {
    case 'next':
      return ahead.slice(0, 1)
    case 'one':
      return ahead.filter(({ startTime }) => startTime === chosen)
    case 'all':
      return ahead.filter(({ startTime }) => new Date(startTime) > now)
  }
}
