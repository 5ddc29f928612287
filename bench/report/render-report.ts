import { ms } from '../figures.ts'
import type { Phase, SoakResult, Statement, WorkloadResult } from './result.ts'
import { assessGrowth, assessPhase, assessSoak, isQuiet, minSeconds, soakMeasures } from './verdict.ts'

/** Markers in docs/performance.md; `npm run bench -- report --write` writes the text between them. */
const marker = (name: string, end: 'begin' | 'end') => `<!-- generated: ${name} ${end} -->`

/**
 * Replace the text between the markers of a name.
 * @throws Error when the page lacks them
 */
export function replaceGenerated(page: string, name: string, text: string): string {
  const [begin, end] = [page.indexOf(marker(name, 'begin')), page.indexOf(marker(name, 'end'))]
  if (begin < 0 || end < begin) throw new Error(`The page has no markers for "${name}"`)
  return `${page.slice(0, begin)}${marker(name, 'begin')}\n${text.trim()}\n${page.slice(end)}`
}

/** Replace all generated parts of docs/performance.md. */
export function renderPage(page: string, results: { workloads: readonly WorkloadResult[]; soak?: SoakResult }): string {
  const withReport = replaceGenerated(page, 'report', renderReport(results.workloads))
  return replaceGenerated(
    withReport,
    'soak',
    results.soak === undefined ? 'Not measured yet.' : renderSoak(results.soak),
  )
}

/** Render as Markdown: the set-up, a table of all workloads, then a table for each. */
export function renderReport(results: readonly WorkloadResult[]): string {
  if (results.length === 0) return 'Not measured yet.'
  return [renderCaveat(results), renderSetup(results), renderSummary(results), ...results.map(renderWorkload)].join(
    '\n\n',
  )
}

/** Say how reliable the figures are: whether each phase lasted ten minutes, on a quiet machine. */
function renderCaveat(results: readonly WorkloadResult[]): string {
  const phases = results.flatMap(({ phases, environment }) => phases.map((phase) => ({ phase, environment })))
  const isShort = phases.some(({ phase }) => phase.seconds < minSeconds.report)
  const isShared = phases.some(({ phase, environment }) => !isQuiet(phase, environment.cores))
  return caveatOf(isShort ? 'Some runs lasted less than ten minutes' : '', isShared)
}

function caveatOf(shortness: string, isShared: boolean): string {
  if (shortness !== '') {
    const sharing = isShared ? ', and other programs used the machine at the same time' : ''
    return `**${shortness}${sharing}. These figures show that the commands work, not what Parley can do.**`
  }
  return isShared
    ? '**Measured for the full duration. Other programs used the machine at the same time, so Parley can do at least this.**'
    : 'Measured on a quiet machine, for the full duration.'
}

function renderSetup(results: readonly WorkloadResult[]): string {
  const valuesOf = (value: (result: WorkloadResult) => string) => [...new Set(results.map(value))].join('<br>')
  const durations = results.flatMap(({ phases }) => phases.map(({ seconds }) => seconds))
  const starts = results.flatMap(({ phases }) => phases.map(({ startedAt }) => startedAt)).sort()
  const othersCores = results.flatMap(({ phases }) =>
    phases.map(({ processorSeconds, seconds }) => processorSeconds.others / seconds),
  )
  const range = (values: readonly number[], unit: string, digits: number) => {
    const [least, most] = [Math.min(...values).toFixed(digits), Math.max(...values).toFixed(digits)]
    return least === most ? `${least} ${unit}` : `${least} to ${most} ${unit}`
  }
  return table(
    ['Metric', 'Value'],
    [
      ['Purpose', 'capacity and latency of one instance'],
      ['Test start', `${minuteOf(starts[0])} to ${minuteOf(starts.at(-1))} UTC`],
      ['Test duration', `${range(durations, 's', 0)} each, after ${results[0]?.warmUpSeconds} s of warm-up`],
      ['Machine', valuesOf(({ environment }) => environment.machine)],
      ['Used by other programs meanwhile', range(othersCores, 'cores', 2)],
      ['Operating system', valuesOf(({ environment }) => environment.system)],
      ['Client', 'on the same machine, one process, raw sockets over 127.0.0.1, without TLS'],
      ['Parley', valuesOf(({ environment }) => environment.parley)],
      ['Node.js', valuesOf(({ environment }) => environment.node)],
      ['Settings', valuesOf(({ environment }) => environment.settings)],
      ['Database', `PostgreSQL ${valuesOf(({ environment }) => environment.postgres)}`],
      ['Data', valuesOf(({ environment }) => environment.data)],
    ],
  )
}

function renderSummary(results: readonly WorkloadResult[]): string {
  const rows = results.map(({ workload, phases }) => {
    const fixed = phases.find(({ kind }) => kind === 'fixed-rate')
    const saturation = phases.find(({ kind }) => kind === 'saturation')
    return [
      `[${workload}](#workload-${workload})`,
      ...(fixed === undefined
        ? ['', '', '']
        : [rate(fixed.ratePerSecond ?? 0), quantilesOf(fixed), percent(errorShare(fixed))]),
      ...(saturation === undefined
        ? ['', '', '', '']
        : [
            rate(saturation.succeeded / saturation.seconds),
            rate(perCore(saturation)),
            quantilesOf(saturation),
            percent(errorShare(saturation)),
          ]),
    ]
  })
  const head = ['Workload', 'Fixed rate', 'p50, p95, p99', 'Errors']
  return table([...head, 'Saturation', 'a core', 'p50, p95, p99', 'Errors'], rows)
}

function renderWorkload({ workload, request, phases, environment }: WorkloadResult): string {
  const row = (name: string, of: (phase: Phase) => string) => [name, ...phases.map(of)]
  const dearest = [0, 1, 2].map((place) =>
    row(`Statement ${place + 1}`, (phase) => renderStatement(phase.statements[place], phase)),
  )
  const rows = [
    row('Test start', ({ startedAt }) => `${minuteOf(startedAt)} UTC`),
    row('Test duration', ({ seconds }) => `${seconds.toFixed(0)} s`),
    row('Virtual users (connections)', ({ connections }) => String(connections)),
    row('Scheduled', ({ ratePerSecond }) => (ratePerSecond === undefined ? 'as answered' : rate(ratePerSecond))),
    row('Requests', ({ succeeded }) => succeeded.toLocaleString('en')),
    row('Observed errors', renderErrors),
    row('Requests a second', ({ succeeded, seconds }) => rate(succeeded / seconds)),
    row('Requests a second and core', (phase) => rate(perCore(phase))),
    row('p50, p95, p99', quantilesOf),
    row('Slowest', ({ latencies }) => ms(latencies.maxMs)),
    row("Driver's own delay, p99", ({ dispatchDelayP99Ms }) =>
      dispatchDelayP99Ms === undefined ? '' : ms(dispatchDelayP99Ms),
    ),
    row('Processor time a request: Parley, PostgreSQL', ({ processorSeconds, succeeded }) =>
      [processorSeconds.parley, processorSeconds.postgres].map((used) => ms((used * 1000) / succeeded)).join(', '),
    ),
    row('Cores: Parley, PostgreSQL, driver, others', ({ processorSeconds, seconds }) =>
      [processorSeconds.parley, processorSeconds.postgres, processorSeconds.driver, processorSeconds.others]
        .map((used) => (used / seconds).toFixed(2))
        .join(', '),
    ),
    ...dearest,
    row('Verdict', (phase) => assessPhase(phase, environment.cores)),
  ]
  const names = phases.map(({ kind }) => (kind === 'fixed-rate' ? 'Fixed rate' : 'Saturation'))
  return `### Workload: ${workload}\n${request}.\n\n${table(['Metric', ...names], rows)}`
}

/** Render as Markdown: the load, and how each measure changed. */
export function renderSoak(soak: SoakResult): string {
  const [first, last] = [soak.samples[0], soak.samples.at(-1)]
  if (first === undefined || last === undefined) return 'Not measured yet.'
  const { seconds, processorSeconds, environment } = soak
  const setup = table(
    ['Metric', 'Value'],
    [
      ['Test start', `${minuteOf(soak.startedAt)} UTC`],
      ['Test duration', `${seconds.toFixed(0)} s, sampled every ${soak.sampleSeconds} s`],
      ['Machine', environment.machine],
      ['Used by other programs meanwhile', `${(processorSeconds.others / seconds).toFixed(2)} cores`],
      ['Parley', `${environment.parley}, Node.js ${environment.node}, ${environment.settings}`],
      ['Database', `PostgreSQL ${environment.postgres}`],
      [
        'Cores: Parley, PostgreSQL, driver',
        [processorSeconds.parley, processorSeconds.postgres, processorSeconds.driver]
          .map((used) => (used / seconds).toFixed(2))
          .join(', '),
      ],
      ['Verdict', assessSoak(soak)],
    ],
  )
  const load = table(
    ['Workload', 'Rate', 'Requests', 'Observed errors', 'p50, p95, p99'],
    soak.workloads.map((each) => [
      each.workload,
      `${each.ratePerSecond}/s`,
      each.succeeded.toLocaleString('en'),
      renderErrors(each),
      quantilesOf(each),
    ]),
  )
  const growth = table(
    ['Measure', 'First sample', 'Last sample', 'Most', 'Slope an hour, ± standard error'],
    soakMeasures.map(({ name, digits, measure }) => {
      const { perHour, error, grows } = assessGrowth(soak.samples, measure)
      const slope = `${signed(perHour, digits)} ± ${error.toFixed(digits)}${grows ? ': grows' : ''}`
      const most = Math.max(...soak.samples.map(measure))
      return [name, ...[measure(first), measure(last), most].map((value) => value.toFixed(digits)), slope]
    }),
  )
  const shortness = seconds < minSeconds.soak ? 'The soak lasted less than an hour' : ''
  return [caveatOf(shortness, !isQuiet(soak, environment.cores)), setup, load, growth].join('\n\n')
}

function renderStatement(statement: Statement | undefined, { succeeded }: Phase): string {
  if (statement === undefined) return ''
  const { summary, calls, meanMs, share } = statement
  const each = (calls / Math.max(1, succeeded)).toFixed(2)
  return `${percent(share)}: ${summary.replaceAll('|', '\\|')}; ${ms(meanMs)}, ${each} a request`
}

function renderErrors({ errors }: { errors: Phase['errors'] }): string {
  const counts = Object.entries(errors).map(([cause, count]) => `${count.toLocaleString('en')} × ${cause}`)
  return counts.length === 0 ? 'none' : counts.join(', ')
}

const quantilesOf = ({ latencies: { p50Ms, p95Ms, p99Ms } }: Pick<Phase, 'latencies'>) =>
  [p50Ms, p95Ms, p99Ms].map(ms).join(', ')

/** Requests per processor second of Parley and PostgreSQL, without the driver and other programs. */
const perCore = ({ succeeded, processorSeconds: { parley, postgres } }: Phase) => succeeded / (parley + postgres)

function errorShare({ succeeded, errors }: Phase): number {
  const failed = Object.values(errors).reduce((sum, count) => sum + count, 0)
  return failed === 0 ? 0 : failed / (failed + succeeded)
}

const percent = (part: number) => (part === 0 ? '0 %' : `${(part * 100).toFixed(part < 0.01 ? 2 : 0)} %`)
const rate = (value: number) => `${value < 100 ? value.toFixed(1) : Math.round(value).toLocaleString('en')}/s`
const signed = (value: number, digits: number) => `${value >= 0 ? '+' : '−'}${Math.abs(value).toFixed(digits)}`
const minuteOf = (iso = '') => iso.slice(0, 16).replace('T', ' ')

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n')
}
