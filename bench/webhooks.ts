import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { evaluateTarget, ms, perSecond, printTable, quantile, type Target } from './figures.ts'
import { type InstanceFixture, makeFolder, startInstance } from './fixture.ts'
import { type Person, signUp } from './prepared-data.ts'
import { type RunningProcess, startProcess } from './processes.ts'

const webhookCount = 4
const meetingCount = 2_000

/** From the commit of a change to the first attempt at its delivery. */
const maxSecondsToAttempt: Target = { kind: 'at most', value: 2 }

const steadyPerSecond = 20
const steadySeconds = 30

type Received = { path: string; id: string; subject: string; sequence: number; lateMs: number }

/**
 * Measure the delivery of events to four webhooks by two instances: a backlog, in the middle of which an instance and the
 * receiver are killed and started again, and then a steady stream. Events are written as a change writes them, without
 * the change.
 */
export async function benchWebhooks(events: number, started: AsyncDisposableStack) {
  const fixture = await startInstance(started)
  const folder = await makeFolder(started)
  const file = join(folder, 'received')
  await writeFile(file, '')
  const host = await signUp(fixture, 'host')
  const startReceiver = (port = 0) => startProcess('bench/webhook-receiver.ts', { RECEIVED: file, PORT: String(port) })
  let receiver = await startReceiver()
  started.defer(() => receiver.stop())
  const startSecond = () => startProcess('apps/server/src/main.ts', fixture.parleyEnvironment)
  let second = await startSecond()
  started.defer(() => second.stop())
  for (let n = 0; n < webhookCount; n += 1) await makeWebhook(fixture, host, `http://127.0.0.1:${receiver.port}/${n}`)

  const expected = events * webhookCount
  const beganMs = performance.now()
  await insertEvents(fixture, host, events, true)
  let kills = 0
  for (let taken = 0; taken < expected; ) {
    await sleep(2_000)
    taken = new Set((await readReceived(file)).map(({ path, id }) => path + id)).size
    if (kills === 0 && taken > expected / 4) {
      kills = 1
      kill(second)
      second = await startSecond()
    } else if (kills === 1 && taken > expected / 2) {
      kills = 2
      kill(receiver)
      receiver = await startReceiver(receiver.port)
    }
    if (performance.now() - beganMs > maxBacklogMs) break
  }
  const seconds = (performance.now() - beganMs) / 1_000
  const backlog = await readReceived(file)
  const taken = new Set(backlog.map(({ path, id }) => path + id)).size

  await writeFile(file, '')
  for (let second = 0; second < steadySeconds; second += 1) {
    await insertEvents(fixture, host, steadyPerSecond, false)
    await sleep(1_000)
  }
  await sleep(5_000)
  const steady = await readReceived(file)
  printTable(
    `${events.toLocaleString('en')} events to ${webhookCount} webhooks, two instances, kill -9 of one and of the receiver`,
    [
      ['taken', 'lost', 'repeated', 'out of order', 'deliveries'],
      [
        taken.toLocaleString('en'),
        String(expected - taken),
        String(backlog.length - taken),
        String(countOutOfOrder(backlog)),
        perSecond(taken / seconds),
      ],
    ],
  )
  const late = steady.map(({ lateMs }) => lateMs)
  printTable(`${steadyPerSecond} events a second: from the commit to the first attempt`, [
    ['deliveries', 'median', 'p99', 'p99 in seconds'],
    [
      String(steady.length),
      ms(quantile(late, 0.5)),
      ms(quantile(late, 0.99)),
      evaluateTarget(quantile(late, 0.99) / 1_000, maxSecondsToAttempt),
    ],
  ])
}

/** Ends a run that cannot succeed. */
const maxBacklogMs = 30 * 60 * 1_000

const kill = ({ pid }: RunningProcess) => process.kill(pid, 'SIGKILL')

async function makeWebhook({ parley }: InstanceFixture, { token }: Person, url: string) {
  const response = await fetch(`http://127.0.0.1:${parley.port}/api/webhooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url }),
  })
  if (!response.ok) throw new Error(`No webhook: ${await response.text()}`)
}

/** Insert events of meetings in turns. `clock_timestamp()` is within milliseconds of their commit. */
async function insertEvents({ owner }: InstanceFixture, { id }: Person, count: number, isBacklog: boolean) {
  await owner.query(
    `insert into event (type, occurred_at, account_id, subject, meeting_id, data)
     select 'meeting.updated', clock_timestamp(), $1, m.id, m.id, jsonb_build_object('meetingId', m.id, 'svcMeetId',
       '2093846571', '__v', n / $3, 'topic', 'Stand-up', 'changed', jsonb_build_array('topic'))
     from generate_series(0, $2 - 1) as n
       cross join lateral (select md5($4 || (n % $3)::text)::uuid as id) as m order by n`,
    [id, count, meetingCount, isBacklog ? 'backlog' : 'steady'],
  )
}

async function readReceived(file: string): Promise<Received[]> {
  const lines = (await readFile(file, 'utf8')).split('\n').slice(0, -1)
  return lines.map((line) => {
    const [path = '', id = '', subject = '', sequence, lateMs] = line.split(' ')
    return { path, id, subject, sequence: Number(sequence), lateMs: Number(lateMs) }
  })
}

/** How many events arrived for the first time after a later one of the same meeting and webhook. */
function countOutOfOrder(received: readonly Received[]): number {
  const lastOf = new Map<string, number>()
  const seen = new Set<string>()
  let count = 0
  for (const { path, id, subject, sequence } of received) {
    if (seen.has(path + id)) continue
    seen.add(path + id)
    const last = lastOf.get(path + subject) ?? 0
    if (sequence < last) count += 1
    lastOf.set(path + subject, Math.max(last, sequence))
  }
  return count
}
