import { readFile, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { renderPage } from './render-report.ts'
import { type Phase, readResults, resultsFolder } from './result.ts'
import { runReport } from './run-report.ts'
import { runSoak } from './run-soak.ts'

const page = new URL('../../docs/performance.md', import.meta.url)
const usage = `npm run bench -- report [--workload NAME] [--phase fixed-rate|saturation] [--seconds 600] [--rate N] [--connections 64]
npm run bench -- report --write   writes the tables of docs/performance.md from bench/results
npm run bench -- soak [--seconds 3600]`

/**
 * Run `report` or `soak` with its options.
 * @param words the command line, with the command first
 * @throws Error for invalid options
 */
export async function runReportCommand(words: readonly string[], started: AsyncDisposableStack): Promise<void> {
  const { positionals, values } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: {
      workload: { type: 'string' },
      seconds: { type: 'string' },
      rate: { type: 'string' },
      phase: { type: 'string' },
      connections: { type: 'string', default: '64' },
      write: { type: 'boolean', default: false },
    },
  })
  const [command, ...rest] = positionals
  if (rest.length > 0) throw new Error(`Not understood: ${rest.join(' ')}\n${usage}`)
  if (command === 'soak') return runSoak(readNumber('seconds', values.seconds ?? '3600', 20), started)
  if (values.write) {
    await writeFile(page, renderPage(await readFile(page, 'utf8'), await readResults(resultsFolder)))
    return
  }
  const options = {
    workload: values.workload,
    seconds: readNumber('seconds', values.seconds ?? '600', 1),
    ratePerSecond: values.rate === undefined ? undefined : readNumber('rate', values.rate, 0.1),
    phase: readPhase(values.phase),
    connections: readNumber('connections', values.connections, 1),
  }
  await runReport(options, started)
}

function readNumber(name: string, text: string, min: number): number {
  const number = Number(text)
  if (!(number >= min)) throw new Error(`--${name} must be a number from ${min}, not "${text}"\n${usage}`)
  return number
}

function readPhase(text: string | undefined): Phase['kind'] | undefined {
  if (text === undefined || text === 'fixed-rate' || text === 'saturation') return text
  throw new Error(`--phase must be fixed-rate or saturation, not "${text}"\n${usage}`)
}
