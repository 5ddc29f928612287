import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { nextOccurrence, occurrenceStarts, occurrences, type RecurrenceRule } from '@parley/rules/recurrence/recurrence'
import rrule from 'rrule'
import { RRuleTemporal } from 'rrule-temporal'
import { evaluateTarget, ms, printTable } from '../figures.ts'

/** Compared with rrule-temporal, for starts alone. */
const minRatio = { kind: 'at least', value: 10 } as const
const roundCount = 9
const sampleMs = 20

const timeZone = 'America/New_York'
const startsAt = new Date('2026-01-05T14:00:00Z')
const endsBy = new Date('2036-01-05T00:00:00Z')

const tasks: { task: string; rule: Exclude<RecurrenceRule, { repeat: 'none' }>; text: string }[] = [
  { task: '10 years daily', rule: { repeat: 'daily', interval: 1 }, text: 'FREQ=DAILY' },
  {
    task: '10 years weekly, three days',
    rule: { repeat: 'weekly', interval: 1, daysOfWeek: [0, 1, 0, 1, 0, 1, 0] },
    text: 'FREQ=WEEKLY;WKST=SU;BYDAY=MO,WE,FR',
  },
  {
    task: '10 years monthly, last Friday',
    rule: {
      repeat: 'monthly',
      interval: 1,
      on: { kind: 'weeks', weeksInMonth: [0, 0, 0, 0, 1], daysOfWeek: [0, 0, 0, 0, 0, 1, 0] },
    },
    text: 'FREQ=MONTHLY;BYDAY=-1FR',
  },
]

/**
 * Measure ten years at nine in New York. Each call builds its rule anew, as a server does after reading it from a row.
 * The libraries return starts only; our occurrences have starts and ends, and cancellations are applied.
 */
export async function benchRecurrence(): Promise<void> {
  const walks: Comparison[] = tasks.map(({ task, rule, text }) => {
    const series = { startsAt, durationMs: 3_600_000, timeZone, rule, endsBy, cancelled: [], changed: [] }
    const bounded = `${text};UNTIL=20360105T000000Z`
    return {
      task,
      starts: () => [...occurrenceStarts(series)],
      occurrences: () => [...occurrences(series)].map((occurrence) => occurrence.startsAt.getTime()),
      rruleTemporal: () =>
        temporalRule(bounded)
          .all()
          .map((found) => found.epochMilliseconds),
      rrule: () =>
        plainRule(bounded)
          .all()
          .map((found) => found.getTime()),
    }
  })
  const daily = { repeat: 'daily', interval: 1 } as const
  const open = { startsAt, durationMs: 0, timeZone, rule: daily, endsBy: null, cancelled: [], changed: [] }
  const far = new Date('2036-01-02T14:00:00Z') // when occurrence number 3650 starts and, without a duration, has ended
  const seek: Comparison = {
    task: 'the occurrence after number 3650',
    starts: () => [...occurrenceStarts(open, far).take(1)],
    occurrences: () => [nextOccurrence(open, far)?.startsAt.getTime()],
    rruleTemporal: () => [temporalRule('FREQ=DAILY').next(far, false)?.epochMilliseconds],
    rrule: () => [plainRule('FREQ=DAILY').after(far, false)?.getTime()],
  }
  const rows = [...walks, seek].map((comparison) => {
    checkAnswers(comparison)
    const { task, starts, occurrences, rruleTemporal, rrule } = comparison
    const times = medians([starts, occurrences, rruleTemporal, rrule])
    const [startsMs = Number.NaN, , rruleTemporalMs = Number.NaN, rruleMs = Number.NaN] = times
    return [
      `${task}, ${starts().length}`,
      ...times.map(ms),
      evaluateTarget(rruleTemporalMs / startsMs, minRatio),
      (rruleMs / startsMs).toFixed(1),
    ]
  })
  printTable('Recurrence, implementations in turns, medians of processor time', [
    ['', 'Parley, starts', 'occurrences', 'rrule-temporal', 'rrule', 'rrule-temporal / starts', 'rrule / starts'],
    ...rows,
  ])
}

const temporalRule = (text: string) =>
  new RRuleTemporal({ rruleString: `DTSTART;TZID=${timeZone}:20260105T090000\nRRULE:${text}` })

const plainRule = (text: string) => rrule.rrulestr(`DTSTART;TZID=${timeZone}:20260105T090000\nRRULE:${text}`)

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

type Answer = () => (number | undefined)[]
type Comparison = { task: string } & Record<'starts' | 'occurrences' | 'rruleTemporal' | 'rrule', Answer>

/**
 * All implementations must agree. rrule returns wall-clock times as if they were UTC, so only the number of its starts
 * is compared.
 */
function checkAnswers({ task, starts, occurrences, rruleTemporal, rrule }: Comparison): void {
  const answer = starts().join()
  const agree = [occurrences, rruleTemporal].every((call) => call().join() === answer)
  if (!agree || rrule().length !== starts().length) throw new Error(`${task}: the implementations disagree`)
}

/**
 * @returns milliseconds per call for each. The calls alternate, so that other load on the machine affects all alike.
 */
function medians(calls: readonly Answer[]): number[] {
  const durations = calls.map((): number[] => [])
  for (let round = 0; round < roundCount; round++) {
    for (const [index, call] of calls.entries()) {
      collectGarbage() // so that no call pays for the garbage of another
      durations[index]?.push(onceMs(call))
    }
  }
  return durations.map((values) => values.sort((left, right) => left - right)[values.length >> 1] ?? Number.NaN)
}

/** @returns the processor time of one call in milliseconds, averaged over enough calls for the clock's resolution */
function onceMs(call: Answer): number {
  const began = process.threadCpuUsage()
  for (let calls = 0, batch = 1; ; batch *= 2) {
    for (const end = calls + batch; calls < end; calls++) call()
    const { user, system } = process.threadCpuUsage(began)
    const passedMs = (user + system) / 1000
    if (passedMs >= sampleMs) return passedMs / calls
  }
}
