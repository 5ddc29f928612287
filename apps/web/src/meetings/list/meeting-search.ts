/** What the list of meetings is narrowed to; it stands in the address, so that it can be kept and sent. */
export type MeetingSearch = { q?: string; role?: 'host' | 'participant'; when?: 'past' | 'cancelled' }

/** As the contract takes it. */
const maxSearchLength = 250

/** Reads the address; what is not known is left out. */
export function readMeetingSearch({ q, role, when }: Record<string, unknown>): MeetingSearch {
  // The router reads a number where somebody looks for one.
  const text = typeof q === 'number' ? String(q) : q
  return {
    ...(typeof text === 'string' && text !== '' && { q: text.slice(0, maxSearchLength) }),
    ...((role === 'host' || role === 'participant') && { role }),
    ...((when === 'past' || when === 'cancelled') && { when }),
  }
}
