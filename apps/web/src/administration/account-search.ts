import { type AccountKind, type AccountSort, accountKinds, accountSorts } from '@parley/contract'

/** The contract's limit. */
const maxSearchLength = 250

export type AccountSearch = { q?: string; only?: AccountKind; sort?: AccountSort; order?: 'desc' }

/** Parse the search parameters; drop unknown values. */
export function readAccountSearch({ q, only, sort, order }: Record<string, unknown>): AccountSearch {
  // The router parses a numeric search as a number.
  const text = typeof q === 'number' ? String(q) : q
  const kind = accountKinds.find((one) => one === only)
  const sortedBy = accountSorts.find((one) => one === sort)
  return {
    ...(typeof text === 'string' && text !== '' && { q: text.slice(0, maxSearchLength) }),
    ...(kind !== undefined && { only: kind }),
    ...(sortedBy !== undefined && { sort: sortedBy }),
    ...(order === 'desc' && { order }),
  }
}

/** By the column, or the other way round; the most recent and the largest come first, names from A. */
export function sortAccountsBy(search: AccountSearch, by: AccountSort): AccountSearch {
  const { sort = 'createdOn', order, ...rest } = search
  const descending = sort === by ? order === undefined : by !== 'name'
  return { ...rest, sort: by, ...(descending && { order: 'desc' }) }
}
