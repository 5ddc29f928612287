/** As the contract takes it. */
const maxSearchLength = 250

export type AccountSearch = { q?: string }

/** Reads the address; what is not known is left out. */
export function readAccountSearch({ q }: Record<string, unknown>): AccountSearch {
  // The router reads a number where somebody looks for one.
  const text = typeof q === 'number' ? String(q) : q
  return typeof text === 'string' && text !== '' ? { q: text.slice(0, maxSearchLength) } : {}
}
