/** The value below which `part` of the values lie; 0.5 is the median. */
export function quantile(values: readonly number[], part: number): number {
  const ordered = values.toSorted((one, other) => one - other)
  return ordered[Math.min(ordered.length - 1, Math.floor(ordered.length * part))] ?? Number.NaN
}

export const median = (values: readonly number[]) => quantile(values, 0.5)

/**
 * How often a value of `one` is above a value of `other` (0.5 when nothing tells them apart), and how many standard
 * deviations that is from 0.5 (Mann-Whitney, the normal approximation).
 */
export function rankSum(one: readonly number[], other: readonly number[]): { chance: number; z: number } {
  const all = [...one.map((value) => ({ value, isOne: true })), ...other.map((value) => ({ value, isOne: false }))]
  all.sort((left, right) => left.value - right.value)
  const rankSumOfOne = all.reduce((sum, { isOne }, index) => sum + (isOne ? index + 1 : 0), 0)
  const pairs = one.length * other.length
  const above = rankSumOfOne - (one.length * (one.length + 1)) / 2
  const deviation = Math.sqrt((pairs * (one.length + other.length + 1)) / 12)
  return { chance: above / pairs, z: (above - pairs / 2) / deviation }
}

export const ms = (value: number) =>
  value < 0.1 ? `${(value * 1000).toFixed(1)} µs` : `${value.toFixed(value < 10 ? 2 : 1)} ms`
export const perSecond = (value: number) => `${Math.round(value).toLocaleString('en')}/s`

export type Target = { kind: 'at least' | 'at most'; value: number }

/** A ratio, and whether it is what issue 2 asks for; nothing depends on it but what is printed. */
export function judged(ratio: number, { kind, value }: Target): string {
  const isMet = kind === 'at least' ? ratio >= value : ratio <= value
  return `${ratio.toFixed(2)} (${kind} ${value}: ${isMet ? 'met' : 'MISSED'})`
}

/** Prints rows under each other, columns aligned; the first row is the heading. */
export function printTable(title: string, rows: readonly (readonly string[])[]) {
  const columns = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  console.log(`\n${title}`)
  for (const row of rows) console.log(`  ${row.map((cell, at) => cell.padEnd(columns[at] ?? 0)).join('  ')}`.trimEnd())
}
