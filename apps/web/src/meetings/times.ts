/** Whether the local times of two time zones differ at an instant: those of London and Lisbon never do. */
export function differsAt(at: string, oneZone: string, otherZone: string): boolean {
  const clock = (timeZone: string) =>
    new Intl.DateTimeFormat('en', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(new Date(at))
  return clock(oneZone) !== clock(otherZone)
}

type Repeating = { repeatOptions: { repeat: string; interval: number | null } }

/** The key of the text for a recurrence; an unknown rule, or one with skipped days, is just "repeats". */
export function rhythmOf({ repeatOptions: { repeat, interval } }: Repeating): 'daily' | 'weekly' | 'monthly' | 'other' {
  if (interval !== null && interval > 1) return 'other'
  return repeat === 'daily' || repeat === 'weekly' || repeat === 'monthly' ? repeat : 'other'
}
