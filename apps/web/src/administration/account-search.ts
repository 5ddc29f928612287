/** The contract's limit. */
const maxSearchLength = 250

type AccountSearch = { q?: string }

/** Parse the search parameters; drop unknown values. */
export function readAccountSearch({ q }: Record<string, unknown>): AccountSearch {
  // The router parses a numeric search as a number.
  const text = typeof q === 'number' ? String(q) : q
  return typeof text === 'string' && text !== '' ? { q: text.slice(0, maxSearchLength) } : {}
}
