/** Whether the clocks of two zones show something else at an instant: London and Lisbon never do. */
export function differsAt(at: string, oneZone: string, otherZone: string): boolean {
  const clock = (timeZone: string) =>
    new Intl.DateTimeFormat('en', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(new Date(at))
  return clock(oneZone) !== clock(otherZone)
}

type Repeating = { repeatOptions: { repeat: string; interval: number | null } }

/** How a series repeats, as a text is chosen by it; a rule that is not known yet, or leaves days out, is one that repeats. */
export function rhythmOf({ repeatOptions: { repeat, interval } }: Repeating): 'daily' | 'weekly' | 'monthly' | 'other' {
  if (interval !== null && interval > 1) return 'other'
  return repeat === 'daily' || repeat === 'weekly' || repeat === 'monthly' ? repeat : 'other'
}
