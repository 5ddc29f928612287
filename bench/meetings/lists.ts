import { evaluateTarget, median, ms, printTable, quantile } from '../figures.ts'
import type { BenchFixture } from '../fixture.ts'
import { requestBytes, sendInTurns, type Target } from '../load.ts'
import { cursorAt, type Person } from '../prepared-data.ts'

/** Pages are read from a cursor, so a page must not become slower with more meetings. */
const maxGrowth = { kind: 'at most', value: 1.3 } as const

const warmUpTurns = 100
const turnCount = 400
const pageSize = 20
const farPageNumber = 10_000

/** Measure pages of hosts with 10,000 to 1,000,000 meetings, one request at a time, alternating between the hosts. */
export async function benchListSizes(fixture: BenchFixture, hosts: { of10k: Person; of100k: Person; of1M: Person }) {
  const far = await cursorAt(fixture, hosts.of1M, (farPageNumber - 1) * pageSize)
  const [of10k = 0, of100k = 0, of1M = 0, farPage = 0] = await mediansOf([
    listTarget(fixture, hosts.of10k),
    listTarget(fixture, hosts.of100k),
    listTarget(fixture, hosts.of1M),
    listTarget(fixture, hosts.of1M, `after=${far}`),
  ])
  printTable(`A page of ${pageSize}, one request at a time: medians of ${turnCount}`, [
    ['', 'median', 'ratio'],
    ['of 10,000 meetings', ms(of10k), ''],
    ['of 100,000', ms(of100k), `${(of100k / of10k).toFixed(2)} of 10,000`],
    ['of 1,000,000', ms(of1M), `${evaluateTarget(of1M / of10k, maxGrowth)} of 10,000`],
    [
      `of 1,000,000, page ${farPageNumber.toLocaleString('en')}`,
      ms(farPage),
      `${evaluateTarget(farPage / of1M, maxGrowth)} of page 1`,
    ],
  ])
}

const dayMs = 24 * 60 * 60 * 1000

/** Measure filters on 100,000 meetings. The total count reads every match. */
export async function benchFilters(fixture: BenchFixture, host: Person, guest: Person, now: Date) {
  const monthAgo = new Date(now.getTime() - 30 * dayMs)
  const month = `fromDate=${monthAgo.toISOString()}&toDate=${now.toISOString()}`
  const filters: [string, Person, string, number][] = [
    ['no filter', host, '', 200],
    ['past=false (1,000 ahead, 100 open series)', host, 'past=false', 100],
    ['past=true', host, 'past=true', 30],
    ['a month', host, month, 50],
    ['a month, past=false', host, `${month}&past=false`, 50],
    ['q (one topic in a hundred)', host, 'q=review%20123', 20],
    ['role=participant, of 100,000 invitations', guest, 'role=participant', 30],
    ['past=false, of 100,000 invitations', guest, 'past=false', 30],
  ]
  const rows = [['', 'median', 'p99']]
  for (const [name, person, query, turns] of filters) {
    const target = listTarget(fixture, person, query)
    await sendInTurns([target], Math.ceil(turns / 4))
    const [latenciesMs = []] = await sendInTurns([target], turns)
    rows.push([name, ms(median(latenciesMs)), ms(quantile(latenciesMs, 0.99))])
  }
  printTable(`A page of ${pageSize} of 100,000, filtered, one request at a time`, rows)
}

export function listTarget({ parley }: BenchFixture, person: Person, query = ''): Target {
  const request = requestBytes('GET', `/api/meeting/me?limit=${pageSize}&${query}`, person.token)
  return { port: parley.port, nextRequest: () => request }
}

async function mediansOf(targets: readonly Target[]): Promise<number[]> {
  await sendInTurns(targets, warmUpTurns)
  return (await sendInTurns(targets, turnCount)).map(median)
}
