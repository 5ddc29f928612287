import { type AuditAction, auditActions, type exportAuditLog, type QueryOf } from '@parley/contract'

/** The log's filters in the page's address. `from` and `to` are dates such as 2030-01-07, both included. */
type AuditFilters = { action?: AuditAction; actor?: string; subject?: string; from?: string; to?: string }

/** The filters, and the order: from the oldest entry, where it is not from the newest one. */
export type AuditSearch = AuditFilters & { order?: 'asc' }

const isDay = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value))
const isId = (value: unknown): value is string => typeof value === 'string' && /^[\da-f-]{36}$/.test(value)

/** Parse the search parameters; drop unknown values. */
export function readAuditSearch({ action, actor, subject, from, to, order }: Record<string, unknown>): AuditSearch {
  const known = auditActions.find((one) => one === action)
  return {
    ...(known !== undefined && { action: known }),
    ...(isId(actor) && { actor }),
    ...(isId(subject) && { subject }),
    ...(isDay(from) && { from }),
    ...(isDay(to) && { to }),
    ...(order === 'asc' && { order }),
  }
}

/** Convert the filters to the API's parameters: the dates become instants in the reader's time zone. */
export function auditFilters({
  from,
  to,
  order: _,
  ...rest
}: AuditSearch): Omit<QueryOf<typeof exportAuditLog>, 'format'> {
  return {
    ...rest,
    ...(from !== undefined && { fromDate: startOfDay(from, 0) }),
    ...(to !== undefined && { toDate: startOfDay(to, 1) }),
  }
}

function startOfDay(day: string, daysLater: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date + daysLater).toISOString()
}
