import { evaluateTarget, type Target as FigureTarget, median, printTable } from '../figures.ts'
import type { BenchFixture } from '../fixture.ts'
import { putUnderLoad, requestBytes, type Target } from '../load.ts'
import { inTurn, measureRound, type Round, ratioOf, rowOf, weeklyReview } from '../meetings/against-baseline.ts'
import { idsOf, type Person, signUp } from '../prepared-data.ts'
import { familyOf } from '../processes.ts'

const workerCount = 16
const roundCount = 11
const warmUpMs = 1_500
const meetingsUpdated = 400

/** Served requests with events, of those without. */
const minRatio: FigureTarget = { kind: 'at least', value: 0.9 }

/**
 * Measure what events cost the requests that create and update meetings, and what publishing them costs meanwhile: with
 * events, and with a trigger that drops each event before it is stored, alternately. What composes the event and calls
 * the trigger remains in both, some hundredths of a millisecond.
 */
export async function benchEventCost(fixture: BenchFixture) {
  const { owner, parley } = fixture
  const host = await signUp(fixture, 'host-of-events')
  const guests = [(await signUp(fixture, 'guest-of-events')).email, 'gita@example.com']
  await owner.query(`
    create function drop_event() returns trigger language plpgsql as 'begin return null; end';
    create trigger drop_event before insert on event for each row execute function drop_event()`)
  const create = creating(parley.port, host, guests)
  await putUnderLoad(create, workerCount, warmUpMs)
  const update = updating(parley.port, host, guests, await idsOf(fixture, host, meetingsUpdated))
  await putUnderLoad(update, workerCount, warmUpMs)
  const postgres = await familyOf(fixture.postgresPid)
  for (const [name, target] of Object.entries({ create, update })) {
    const rounds: { with: Round[]; without: Round[] } = { with: [], without: [] }
    for (let round = 0; round < roundCount; round++) {
      for (const kind of ['with', 'without'] as const) {
        await owner.query(`alter table event ${kind === 'with' ? 'disable' : 'enable'} trigger drop_event`)
        await putUnderLoad(target, workerCount, 100)
        rounds[kind].push(await measureRound(target, parley.pid, postgres))
      }
    }
    const processorRatio = median(rounds.with.map(processorMsOf)) / median(rounds.without.map(processorMsOf))
    printTable(
      `${name}, ${workerCount} workers, medians of ${roundCount} rounds in turns; server, PostgreSQL: processor time a request`,
      [
        ['', 'served', 'p50', 'p99', 'server', 'PostgreSQL', 'with by without', 'processor time'],
        ['without events', ...rowOf(rounds.without), '', ''],
        [
          'with events',
          ...rowOf(rounds.with),
          evaluateTarget(ratioOf(rounds.with, rounds.without), minRatio),
          processorRatio.toFixed(2),
        ],
      ],
    )
  }
  await owner.query('drop function drop_event cascade')
}

const processorMsOf = ({ serverMs, postgresMs }: Round) => serverMs + postgresMs

const creating = (port: number, { token }: Person, guests: readonly string[]): Target =>
  inTurn(port, [requestBytes('POST', '/api/meeting?sendUpdates=none', token, JSON.stringify(weeklyReview(guests)))])

/** Each update of a meeting changes its topic. */
function updating(port: number, { token }: Person, guests: readonly string[], ids: readonly string[]): Target {
  const withTopic = (topic: string) =>
    ids.map((id) => {
      const body = JSON.stringify({ ...weeklyReview(guests), topic })
      return requestBytes('PUT', `/api/meeting/meetingDetails/${id}?sendUpdates=none`, token, body)
    })
  return inTurn(port, [...withTopic('Monthly figures'), ...withTopic('Weekly figures')])
}
