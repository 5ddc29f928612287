import { type AccountKind, type AccountSort, accountKinds, accountSorts } from '@parley/contract'
import { readSorting, type Sorting, sortBy } from '../ui/sorting.ts'

/** The contract's limit. */
const maxSearchLength = 250

export type AccountSearch = { q?: string; only?: AccountKind } & Sorting<AccountSort>

/** Parse the search parameters; drop unknown values. */
export function readAccountSearch({ q, only, ...sorting }: Record<string, unknown>): AccountSearch {
  // The router parses a numeric search as a number.
  const text = typeof q === 'number' ? String(q) : q
  const kind = accountKinds.find((one) => one === only)
  return {
    ...(typeof text === 'string' && text !== '' && { q: text.slice(0, maxSearchLength) }),
    ...(kind !== undefined && { only: kind }),
    ...readSorting(accountSorts, sorting),
  }
}

/** By the column, or the other way round; the most recent and the largest come first, names from A. */
export function sortAccountsBy({ sort = 'createdOn', order, ...rest }: AccountSearch, by: AccountSort): AccountSearch {
  const sorting = { sort, ...(order && { order }) }
  return { ...rest, ...sortBy(sorting, by, { createdOn: 'desc', name: 'asc', lastSeenOn: 'desc', meetings: 'desc' }) }
}
