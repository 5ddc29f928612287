import type { Order } from './DataTable.tsx'

/** How a list is sorted, in the address of its page. Absent fields are the list's defaults. */
export type Sorting<Sort extends string> = { sort?: Sort; order?: 'desc' }

/** Parse the search parameters; drop unknown values. */
export function readSorting<Sort extends string>(
  sorts: readonly Sort[],
  { sort, order }: Record<string, unknown>,
): Sorting<Sort> {
  const known = sorts.find((one) => one === sort)
  return { ...(known !== undefined && { sort: known }), ...(order === 'desc' && { order }) }
}

/** Sort by another column from its natural end, or by the same column the other way round. */
export function sortBy<Sort extends string>(
  { sort, order }: Sorting<Sort>,
  by: Sort,
  naturalOrders: Record<Sort, Order>,
): Sorting<Sort> {
  const descending = sort === by ? order === undefined : naturalOrders[by] === 'desc'
  return { sort: by, ...(descending && { order: 'desc' }) }
}
