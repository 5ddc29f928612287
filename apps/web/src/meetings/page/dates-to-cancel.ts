import type { SeriesExtent } from '../SeriesExtentField.tsx'

export type Dated = { startTime: string; endTime: string; originalStartTime: string }

type DatesOfSeries = {
  /** The dates that have not ended, in order; of a long series, the first of them. */
  ahead: readonly Dated[]
  /** The date that the host has chosen. */
  chosen: Dated
}

const startOf = ({ originalStartTime }: Dated) => Date.parse(originalStartTime)
const isAhead = ({ startTime }: Dated, now: Date) => new Date(startTime) > now

/**
 * Return the dates to cancel, as the service does. One date is cancelled even while it runs; otherwise a date that has
 * begun is kept.
 */
export function datesToCancel({ ahead, chosen }: DatesOfSeries, extent: SeriesExtent, now: Date): readonly Dated[] {
  switch (extent) {
    case 'one':
      return [chosen]
    case 'following':
      return [chosen, ...ahead.filter((date) => startOf(date) > startOf(chosen))].filter((date) => isAhead(date, now))
    case 'all':
      return ahead.filter((date) => isAhead(date, now))
  }
}

/** How much of a series can be cancelled: a date that has begun is cancelled alone, or with all that are ahead. */
export const extentsToCancel = ({ chosen }: DatesOfSeries, now: Date): readonly SeriesExtent[] =>
  isAhead(chosen, now) ? ['one', 'following', 'all'] : ['one', 'all']

/** Whether these are all dates that are left: this and all following ones, from the first. */
export const isWhole = ({ ahead, chosen }: DatesOfSeries, extent: SeriesExtent): boolean =>
  extent === 'all' || (extent === 'following' && !ahead.some((date) => startOf(date) < startOf(chosen)))

/** Rooms open this long before a date, as the service decides (`opensBeforeMs`). */
const opensBeforeMs = 15 * 60_000

/** Whether a call that is in progress can be that of one of these dates: their room is open. */
export const isRoomOpen = (dates: readonly { startTime: string }[], now: Date): boolean =>
  dates.some(({ startTime }) => Date.parse(startTime) - opensBeforeMs <= now.getTime())
