import { type AdministeredAppSort, administeredAppSorts } from '@parley/contract'
import type { Order } from '../ui/DataTable.tsx'
import { readSorting, type Sorting, sortBy } from '../ui/sorting.ts'

export type AppSorting = Sorting<AdministeredAppSort>

/** Parse the search parameters; drop unknown values. */
export const readAppSorting = (search: Record<string, unknown>): AppSorting => readSorting(administeredAppSorts, search)

const naturalOrders: Record<AdministeredAppSort, Order> = {
  createdOn: 'desc',
  name: 'asc',
  owner: 'asc',
  status: 'asc',
  modifiedOn: 'desc',
}

/** By the column, or the other way round; the most recent come first, names from A. */
export const sortAppsBy = ({ sort = 'createdOn', order }: AppSorting, by: AdministeredAppSort): AppSorting =>
  sortBy({ sort, ...(order && { order }) }, by, naturalOrders)
