import { invalidRequest } from './problem.ts'

/** Where a page ended: the time it is ordered by, and the id that settles ties. Opaque on the wire. */
export type Cursor = { at: Date; id: string }

const form = /^(-?\d{1,15})\.([0-9a-f-]{36})$/

export const writeCursor = ({ at, id }: Cursor) => Buffer.from(`${at.getTime()}.${id}`).toString('base64url')

/** @throws invalid_request naming `after` */
export function readCursor(text: string): Cursor {
  const [, ms, id] = form.exec(Buffer.from(text, 'base64url').toString()) ?? []
  if (ms === undefined || id === undefined) {
    const message = 'after must be the nextCursor of an answer.'
    throw invalidRequest([{ path: '/after', code: 'bad_format', message }])
  }
  return { at: new Date(Number(ms)), id }
}
