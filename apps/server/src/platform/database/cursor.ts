import { type Parsed, passed, refuseAt } from '@parley/rules/text/parsed'
import { isUuid } from './uuid.ts'

/**
 * The end of a page: the time by which it is ordered, and the id that breaks ties. When the order depends on the
 * current time, it includes the time of the first page. `over`: the page ended in the second part of a list of two
 * parts: among past meetings, which follow future ones, or among changed apps, which follow new ones. `rank`: the number
 * that a list is sorted by, such as the place of a status. `key`: the text that a list is sorted by. The row with the id
 * may be changed or deleted before the next page is read. Opaque on the wire.
 */
export type Cursor = { at: Date; id: string; asOf?: Date; over?: boolean; rank?: number; key?: string }

/** A text of PostgreSQL has no NUL. */
const form = /^(-?\d{1,15})\.(.{36})(?:\.(\d{1,15}))?(\.over)?(?:\.rank(\d{1,9}))?(?:\.key([^\0]*))?$/

/** The years that both PostgreSQL and RFC 3339 can represent: 1 to 9999. */
const earliestMs = Date.parse('0001-01-01T00:00:00Z')
const latestMs = Date.parse('9999-12-31T23:59:59Z')

export const writeCursor = ({ at, id, asOf, over = false, rank, key }: Cursor) =>
  Buffer.from(
    [
      at.getTime(),
      id,
      ...(asOf === undefined ? [] : [asOf.getTime()]),
      ...(over ? ['over'] : []),
      ...(rank === undefined ? [] : [`rank${rank}`]),
      ...(key === undefined ? [] : [`key${key}`]),
    ].join('.'),
  ).toString('base64url')

/** Read the `after` of a list's query. */
export function readAfter(after: string | undefined): Parsed<Cursor | undefined> {
  if (after === undefined) return passed
  const cursor = readCursor(after)
  return cursor === undefined ? refusedAfter : { value: cursor }
}

const refusedAfter = refuseAt('/after', 'bad_format', 'must be the nextCursor of an answer')

/** The end of a page of a list whose rows are numbered. Opaque on the wire. */
export const writePosition = (position: number) => Buffer.from(`position.${position}`).toString('base64url')

/** Read the `after` of a query of such a list. */
export function readPosition(after: string | undefined): Parsed<number | undefined> {
  if (after === undefined) return passed
  const [, position] = /^position\.(\d{1,15})$/.exec(Buffer.from(after, 'base64url').toString()) ?? []
  return position === undefined ? refusedAfter : { value: Number(position) }
}

function readCursor(text: string): Cursor | undefined {
  const [, ms, id, asOfMs, over, rank, key] = form.exec(Buffer.from(text, 'base64url').toString()) ?? []
  if (ms === undefined || id === undefined || !isUuid(id)) return undefined
  const at = Number(ms)
  if (at < earliestMs || at > latestMs || Number(asOfMs) > latestMs) return undefined
  const asOf = asOfMs === undefined ? {} : { asOf: new Date(Number(asOfMs)) }
  return {
    at: new Date(at),
    id,
    ...asOf,
    ...(over !== undefined && { over: true }),
    ...(rank !== undefined && { rank: Number(rank) }),
    ...(key !== undefined && { key }),
  }
}
