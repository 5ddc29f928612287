import type { Load } from './load.ts'

/** The value below which the share `part` of the values lies; 0.5 gives the median. */
export function quantile(values: readonly number[], part: number): number {
  const ordered = Float64Array.from(values).sort()
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

/** Print a table in Markdown with aligned columns, as docs/performance.md has them; the first row is the heading. */
export function printTable(title: string, rows: readonly (readonly string[])[]) {
  const columns = rows[0]?.map((_, column) => Math.max(3, ...rows.map((row) => row[column]?.length ?? 0))) ?? []
  const line = (cells: readonly string[]) =>
    `| ${columns.map((width, at) => (cells[at] ?? '').padEnd(width)).join(' | ')} |`
  const [heading = [], ...others] = rows
  const rule = `|${columns.map((width) => '-'.repeat(width + 2)).join('|')}|`
  console.log([`\n### ${title}`, line(heading), rule, ...others.map(line)].join('\n'))
}

/** The median of the ratios of the rounds, which other load on the machine affects little. */
export const ratioOf = (ours: readonly Load[], theirs: readonly Load[]) =>
  median(ours.map((load, round) => load.requestsPerSecond / (theirs[round]?.requestsPerSecond ?? Number.NaN)))

/** Three cells: requests a second, p50, p99. */
export function loadCells(rounds: readonly Load[]): string[] {
  const latenciesMs = rounds.flatMap((load) => load.latenciesMs)
  const served = median(rounds.map((load) => load.requestsPerSecond))
  return [perSecond(served), ms(median(latenciesMs)), ms(quantile(latenciesMs, 0.99))]
}
