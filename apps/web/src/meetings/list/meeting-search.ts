/** The list's filters. They are in the address, so that a filtered list can be bookmarked. */
export type MeetingSearch = { q?: string; role?: 'host' | 'participant'; when?: 'past' | 'cancelled' }

/** The contract's limit. */
const maxSearchLength = 250

/** Parse the search parameters; drop unknown values. */
export function readMeetingSearch({ q, role, when }: Record<string, unknown>): MeetingSearch {
  // The router parses a numeric search as a number.
  const text = typeof q === 'number' ? String(q) : q
  return {
    ...(typeof text === 'string' && text !== '' && { q: text.slice(0, maxSearchLength) }),
    ...((role === 'host' || role === 'participant') && { role }),
    ...((when === 'past' || when === 'cancelled') && { when }),
  }
}
