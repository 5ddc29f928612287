export type Dated = { startTime: string; endTime: string }

/** How much of a series is cancelled. */
export type Extent = 'next' | 'all' | 'one'

/**
 * The dates that go. `ahead` are those that have not ended, in order. The next one goes even while it runs; when all go,
 * one that has begun is held to its end (meetings.md 5, 8.5).
 */
export function goingDates(ahead: readonly Dated[], extent: Extent, chosen: string, now: Date): readonly Dated[] {
  switch (extent) {
    case 'next':
      return ahead.slice(0, 1)
    case 'one':
      return ahead.filter(({ startTime }) => startTime === chosen)
    case 'all':
      return ahead.filter(({ startTime }) => new Date(startTime) > now)
  }
}
