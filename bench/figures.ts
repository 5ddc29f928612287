/** The value below which the share `part` of the values lies; 0.5 gives the median. */
export function quantile(values: readonly number[], part: number): number {
  const ordered = values.toSorted((left, right) => left - right)
  return ordered[Math.min(ordered.length - 1, Math.floor(ordered.length * part))] ?? Number.NaN
}

export const median = (values: readonly number[]) => quantile(values, 0.5)

export const ms = (value: number) =>
  value < 0.1 ? `${(value * 1000).toFixed(1)} µs` : `${value.toFixed(value < 10 ? 2 : 1)} ms`
export const perSecond = (value: number) => `${Math.round(value).toLocaleString('en')}/s`

export type Target = { kind: 'at least' | 'at most'; value: number }

/** Format a figure with its target, and whether the target is met. */
export function evaluateTarget(figure: number, { kind, value }: Target): string {
  const isMet = kind === 'at least' ? figure >= value : figure <= value
  return `${figure.toFixed(2)} (${kind} ${value}: ${isMet ? 'met' : 'MISSED'})`
}

/** Print rows with aligned columns; the first row is the heading. */
export function printTable(title: string, rows: readonly (readonly string[])[]) {
  const columns = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  console.log(`\n${title}`)
  for (const row of rows) console.log(`  ${row.map((cell, at) => cell.padEnd(columns[at] ?? 0)).join('  ')}`.trimEnd())
}
