import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { ArrivalSchedule } from './arrival-schedule.ts'
import { fitLine } from './fit-line.ts'
import { LatencyHistogram } from './latency-histogram.ts'
import { renderPage, renderReport, replaceGenerated } from './render-report.ts'
import { TokenRing } from './report-data.ts'
import {
  addOtherPhase,
  type Phase,
  type SoakResult,
  type SoakSample,
  type WorkloadResult,
  writeWorkloadResult,
} from './result.ts'
import { summarizeStatement } from './statements.ts'
import { assessGrowth, assessPhase, assessSoak } from './verdict.ts'

/** The latencies of one connection whose server stops for a while, on a simulated clock. */
function simulateOneConnection({
  ratePerSecond = 100,
  durationMs = 1000,
  replyMs = 1,
  stallAtMs = 200,
  stallMs = 500,
}) {
  const schedule = new ArrivalSchedule({ ratePerSecond, durationMs })
  const fromDueMs: number[] = []
  const fromSentMs: number[] = []
  let nowMs = 0
  while (schedule.remaining > 0) {
    const dueMs = schedule.takeDue(nowMs)
    if (dueMs === undefined) {
      nowMs += schedule.waitMs(nowMs)
      continue
    }
    const sentMs = nowMs
    const isStalled = nowMs >= stallAtMs && nowMs < stallAtMs + stallMs
    nowMs = isStalled ? stallAtMs + stallMs + replyMs : nowMs + replyMs
    fromDueMs.push(nowMs - dueMs)
    fromSentMs.push(nowMs - sentMs)
  }
  return { fromDueMs, fromSentMs }
}

test('a stall delays every request that was due during it, not only the one that was sent', () => {
  const { fromDueMs, fromSentMs } = simulateOneConnection({})
  assert.equal(fromDueMs.length, 100)
  assert.equal(fromSentMs.filter((latency) => latency > 100).length, 1, 'what coordinated omission would report')
  assert.equal(fromDueMs.filter((latency) => latency > 100).length, 45)
  assert.equal(Math.max(...fromDueMs), 501)
})

test('arrivals are due at a constant rate, from the start until the end', () => {
  const schedule = new ArrivalSchedule({ ratePerSecond: 4, durationMs: 1000 })
  assert.equal(schedule.total, 4)
  assert.equal(schedule.takeDue(0), 0)
  assert.equal(schedule.takeDue(249), undefined)
  assert.equal(schedule.waitMs(249), 1)
  assert.equal(schedule.takeDue(600), 250, 'the oldest first')
  assert.equal(schedule.takeDue(600), 500)
  assert.equal(schedule.takeDue(600), undefined)
  assert.equal(schedule.takeDue(10_000), 750)
  assert.equal(schedule.takeDue(10_000), undefined)
  assert.equal(schedule.waitMs(10_000), Number.POSITIVE_INFINITY)
  assert.throws(() => new ArrivalSchedule({ ratePerSecond: 0, durationMs: 1 }), /above 0/)
})

test('quantiles are exact to a thousandth, and no recorded latency is 0', () => {
  const histogram = new LatencyHistogram()
  assert.deepEqual(histogram.summarize(), { p50Ms: 0, p95Ms: 0, p99Ms: 0, maxMs: 0 })
  for (let latencyMs = 1; latencyMs <= 1000; latencyMs++) histogram.record(latencyMs)
  const { p50Ms, p95Ms, p99Ms, maxMs } = histogram.summarize()
  for (const [value, expected] of [
    [p50Ms, 500],
    [p95Ms, 950],
    [p99Ms, 990],
    [maxMs, 1000],
  ] as const) {
    assert.ok(Math.abs(value - expected) <= expected / 1000, `${value} for ${expected}`)
  }
  const short = new LatencyHistogram()
  short.record(0)
  assert.equal(short.summarize().maxMs, 0.001, 'the resolution is a microsecond')
})

test('fits a line by least squares, with the standard error of its slope', () => {
  assert.deepEqual(fitLine([0, 1, 2].map((x) => ({ x, y: 3 + 2 * x }))), { slope: 2, intercept: 3, slopeError: 0 })
  // Anscombe's first quartet: slope 0.5001, intercept 3.0001, standard error 0.1179.
  const [xs, ys] = [
    [10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5],
    [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68],
  ] as const
  const { slope, intercept, slopeError } = fitLine(xs.map((x, at) => ({ x, y: ys[at] ?? 0 })))
  assert.deepEqual(
    [slope, intercept, slopeError].map((value) => value.toFixed(4)),
    ['0.5001', '3.0001', '0.1179'],
  )
  assert.throws(() => fitLine([{ x: 1, y: 1 }]), /two different/)
})

test('refresh tokens are used in rotation, and each reply adds the next one', () => {
  const ring = new TokenRing(['a', 'b'])
  assert.equal(ring.take(), 'a')
  ring.add('a2')
  assert.throws(() => ring.add('c'), /full/)
  assert.deepEqual([ring.take(), ring.take(), ring.take()], ['b', 'a2', undefined])
})

test('the summary of a statement lists its operations on tables, without the names of its CTEs', () => {
  const tables = new Set(['meeting', 'participant', 'account', 'session'])
  const created = `with created as (insert into "meeting" (id) values ($1) returning id),
    invited as (insert into participant select id from created join account on true) select * from created`
  assert.equal(summarizeStatement(created, tables), 'inserts meeting, participant; reads account')
  assert.equal(summarizeStatement('delete from session where id = $1', tables), 'deletes session')
  assert.equal(summarizeStatement('select 1 from "public".account', tables), 'reads account')
  assert.equal(summarizeStatement('BEGIN', tables), 'BEGIN')
})

const phase = (changes: Partial<Phase> = {}): Phase => ({
  kind: 'fixed-rate',
  startedAt: '2026-11-22T21:00:00.000Z',
  seconds: 10,
  connections: 64,
  ratePerSecond: 100,
  succeeded: 1000,
  errors: {},
  ranOut: false,
  latencies: { p50Ms: 1, p95Ms: 2, p99Ms: 3, maxMs: 4 },
  dispatchDelayP99Ms: 1,
  processorSeconds: { parley: 2, postgres: 2, driver: 1, others: 0 },
  statements: [{ summary: 'reads meeting', text: 'select', calls: 2000, meanMs: 0.5, share: 0.75 }],
  ...changes,
})

test('the verdict of a phase states errors, the limiting resource, and other load on the machine', () => {
  assert.equal(assessPhase(phase(), 2), 'kept')
  assert.equal(assessPhase(phase({ errors: { 'status 503': 2 } }), 2), 'not kept: 2 errors')
  const slow = { p50Ms: 1, p95Ms: 2, p99Ms: 250.5, maxMs: 400 }
  assert.equal(assessPhase(phase({ latencies: slow }), 2), 'kept, but the 99th percentile is above 250 ms')
  assert.equal(assessPhase(phase({ ranOut: true }), 2), 'invalid: the prepared data ran out')
  const used = (parley: number, postgres: number, driver: number, others = 0) =>
    assessPhase(phase({ kind: 'saturation', processorSeconds: { parley, postgres, driver, others } }), 2)
  assert.match(used(9.5, 3, 2), /^limited by Parley's process/)
  assert.match(used(8, 8, 3.5), /^limited by the machine's processor$/)
  assert.match(used(4, 3, 9.4), /^limited by the driver/)
  assert.match(used(2, 2, 1), /^not limited by the processor/)
  assert.match(assessPhase(phase({ kind: 'saturation', ranOut: true }), 2), /ended early/)
  assert.match(used(2, 2, 1, 2), /Not a quiet machine: other programs used 0.20 cores$/)
})

const sample = (seconds: number, rssMb: number): SoakSample => ({
  seconds,
  rssMb,
  pssMb: 200,
  postgresPssMb: 100,
  fileHandles: 40,
  eventLoopDelayP50Ms: 10,
  eventLoopDelayP99Ms: 12,
  eventLoopDelayMaxMs: 30,
})
const minutes = Array.from({ length: 60 }, (_, at) => at + 1)
const environment = {
  machine: 'Test, 2 cores, 4 GiB',
  cores: 2,
  system: 'Linux',
  node: '26',
  postgres: '18',
  parley: '0.1.0',
  settings: 'none',
  data: 'none',
}
const soak = (samples: SoakSample[]): SoakResult => ({
  environment,
  startedAt: '2026-11-22T21:00:00.000Z',
  seconds: 3600,
  sampleSeconds: 60,
  samples,
  processorSeconds: { parley: 2, postgres: 2, driver: 1, others: 0 },
  workloads: [
    {
      workload: 'get',
      ratePerSecond: 50,
      succeeded: 180_000,
      errors: {},
      latencies: { p50Ms: 1, p95Ms: 2, p99Ms: 3, maxMs: 4 },
    },
  ],
})

test('a measure grows if its slope exceeds noise and 2 % an hour, after the settling time', () => {
  const leak = minutes.map((minute) => sample(minute * 60, 200 + minute / 2 + (minute % 2)))
  const growth = assessGrowth(leak, ({ rssMb }) => rssMb)
  assert.ok(growth.grows)
  assert.ok(Math.abs(growth.perHour - 30) < 1, String(growth.perHour))
  assert.equal(assessSoak(soak(leak)), 'no errors; growing: Resident memory of Parley (RSS), MB')

  const noise = minutes.map((minute) => sample(minute * 60, 200 + (minute % 7) * 5))
  assert.equal(assessSoak(soak(noise)), 'no errors; nothing grows')
  const warmedUp = minutes.map((minute) => sample(minute * 60, minute < 10 ? 100 : 200))
  assert.equal(assessSoak(soak(warmedUp)), 'no errors; nothing grows')
})

const result: WorkloadResult = {
  workload: 'get',
  request: 'GET it',
  environment,
  warmUpSeconds: 10,
  phases: [phase(), phase({ kind: 'saturation', succeeded: 9000, errors: { 'status 503': 1000 } })],
}

test('the tables show the figures of the results', () => {
  const text = renderReport([result])
  assert.match(
    text,
    /^\| \[get\]\(#workload-get\) \| 100\/s \| 1.00 ms, 2.00 ms, 3.00 ms \| 0 % \| 900\/s \| 2,250\/s \|/m,
  )
  assert.match(text, /^\| Observed errors \| none \| 1,000 × status 503 \|$/m)
  assert.match(text, /^\| Statement 1 \| 75 %: reads meeting; 0.50 ms, 2.00 a request \|/m)
  assert.match(text, /^\| Verdict \| kept \|/m)
})

test('the tables say how reliable their figures are', () => {
  const introduction = (changes: Partial<Phase>) =>
    renderReport([{ ...result, phases: [phase({ seconds: 600, ...changes })] }]).split('\n')[0]
  const used = { parley: 2, postgres: 2, driver: 1, others: 300 }
  assert.equal(introduction({}), 'Measured on a quiet machine, for the full duration.')
  assert.match(introduction({ seconds: 60 }) ?? '', /^\*\*Some runs lasted less than ten minutes\. These/)
  assert.match(
    introduction({ processorSeconds: used }) ?? '',
    /^\*\*Measured for the full duration. Other programs used the machine at the same time, /,
  )
  assert.match(introduction({ seconds: 60, processorSeconds: used }) ?? '', /minutes, and other programs used/)
})

test('a run of one phase keeps the other phase only if it has the same environment', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-report-'))
  context.after(() => rm(folder, { recursive: true }))
  const saturation = { ...result, phases: [phase({ kind: 'saturation', succeeded: 5 })] }
  assert.deepEqual(await addOtherPhase(folder, saturation), saturation, 'nothing was measured yet')
  await writeWorkloadResult(folder, result)
  const { phases } = await addOtherPhase(folder, saturation)
  assert.deepEqual(phases, [phase(), phase({ kind: 'saturation', succeeded: 5 })])
  const later = { ...saturation, environment: { ...environment, parley: 'commit 2' } }
  assert.deepEqual(await addOtherPhase(folder, later), later)
})

test('replaces only the text between the markers of a page', () => {
  const page = [
    '# Page',
    ...['report', 'soak'].flatMap((name) => [
      `<!-- generated: ${name} begin -->`,
      `an old figure of ${name}`,
      `<!-- generated: ${name} end -->`,
      `prose after ${name}`,
    ]),
  ].join('\n')
  const written = renderPage(page, { workloads: [result] })
  assert.doesNotMatch(written, /old figure/)
  assert.match(written, /^# Page\n<!-- generated: report begin -->\n\*\*Some runs lasted/)
  assert.match(written, /<!-- generated: report end -->\nprose after report\n/)
  assert.match(written, /begin -->\nNot measured yet.\n<!-- generated: soak end -->\nprose after soak$/)
  assert.equal(renderPage(written, { workloads: [result] }), written, 'a second time changes nothing')
  assert.throws(() => replaceGenerated('# Page', 'report', 'x'), /no markers for "report"/)
})
