import { createTogether } from '../platform/together.ts'

/** Looks up rows by key for requests that arrive together. */
export function createLookUpsTogether<Row>(
  ask: (keys: readonly Buffer[]) => Promise<readonly Row[]>,
  keyOf: (row: Row) => Buffer,
): (key: Buffer) => Promise<Row | undefined> {
  return createTogether<Buffer, Row | undefined>(async (keys) => {
    const rows = await ask(keys)
    const byKey = new Map(rows.map((row) => [keyOf(row).toString('latin1'), row]))
    return keys.map((key) => byKey.get(key.toString('latin1')))
  })
}
