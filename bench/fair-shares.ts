import { setTimeout as sleep } from 'node:timers/promises'
import { ms, perSecond, printTable, quantile } from './figures.ts'
import { startInstance } from './fixture.ts'
import { insertMeetings, type Person, signUp, vacuumMeetings } from './prepared-data.ts'

const meetings = 100
const participants = 1_000
const series = 1_000
/** Another account sends a request, waits for the reply, and then for this long. */
const pauseMs = 50

type Attack = {
  name: string
  connections: number
  path: string
  body?: object
  /** Sent by the account with series, not by that with large meetings. */
  hasSeries?: true
}

/** What one account sends at the same time, all day. */
const attacks: readonly Attack[] = [
  { name: 'nothing', connections: 0, path: '' },
  { name: '60 × list of 100 large meetings', connections: 60, path: '/api/meeting/me?limit=100' },
  {
    name: '100 × conflicts with 1,000 series',
    connections: 100,
    hasSeries: true,
    path: '/api/meeting/conflicts?start=2030-01-01T00:00:00Z&end=2030-01-31T00:00:00Z',
  },
  { name: '60 × export of the account', connections: 60, path: '/api/my_profile/export' },
  {
    name: '60 × preview of an endless series',
    connections: 60,
    path: '/api/meeting/preview',
    body: {
      topic: 'Preview',
      startTime: '2030-01-01T09:00:00Z',
      endTime: '2030-01-01T09:30:00Z',
      timeZone: 'Europe/Berlin',
      repeatOptions: { repeat: 'daily' },
    },
  },
]

/** Measure what others notice of one account that sends costly requests over many connections. */
export async function benchFairShares(seconds: number, started: AsyncDisposableStack) {
  const fixture = await startInstance(started, { RATE_LIMITS: 'on' })
  const { owner, parley } = fixture
  const alice = await signUp(fixture, 'alice')
  const [mallory, planner] = [await signUp(fixture, 'mallory'), await signUp(fixture, 'planner')]
  const guests = Array.from({ length: participants }, (_, at) => `guest${at}@example.org`)
  await insertMeetings(fixture, { host: mallory, count: meetings, guests, firstCode: 1_000_000_000 })
  await insertMeetings(fixture, { host: alice, count: meetings, guests: guests.slice(0, 5), firstCode: 3_000_000_000 })
  await insertMeetings(fixture, { host: planner, count: series, guests: [], firstCode: 2_000_000_000 })
  await owner.query(
    `update meeting set recurrence = '{"repeat": "daily", "interval": 1}', over_at = 'infinity', ends_by = null
     where host_id = $1`,
    [planner.id],
  )
  await vacuumMeetings(fixture)

  const rows = [
    ['one account sends', 'another account: p50', 'p95', 'slowest', 'refused', 'the account: answered', '429', '503'],
  ]
  for (const attack of attacks) {
    const { own, other } = await attackFor(seconds * 1000, parley.port, attack, {
      alice,
      sender: attack.hasSeries ? planner : mallory,
    })
    const taken = other.filter(({ status }) => status === 200).map(({ tookMs }) => tookMs)
    rows.push([
      attack.name,
      ms(quantile(taken, 0.5)),
      ms(quantile(taken, 0.95)),
      ms(quantile(taken, 1)),
      `${other.length - taken.length} of ${other.length}`,
      perSecond((own.get(200) ?? 0) / seconds),
      String(own.get(429) ?? 0),
      String(own.get(503) ?? 0),
    ])
    await sleep(3_000)
  }
  printTable(`Fair shares, ${seconds} s each`, rows)
}

type People = { alice: Person; sender: Person }

async function attackFor(durationMs: number, port: number, attack: Attack, { alice, sender }: People) {
  const own = new Map<number, number>()
  const other: { status: number; tookMs: number }[] = []
  const endMs = performance.now() + durationMs
  const send = async (path: string, { token }: Person, body?: object) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    await response.arrayBuffer()
    return response.status
  }
  const attacking = Array.from({ length: attack.connections }, async () => {
    while (performance.now() < endMs) {
      const status = await send(attack.path, sender, attack.body).catch(() => 0)
      own.set(status, (own.get(status) ?? 0) + 1)
      // A refused client comes back after a while, as it is asked to.
      if (status === 429 || status === 503) await sleep(200)
    }
  })
  const paths = ['/api/my_profile', '/api/meeting/me?limit=20']
  for (let at = 0; performance.now() < endMs; at++) {
    const sentMs = performance.now()
    const status = await send(paths[at % paths.length] ?? '', alice).catch(() => 0)
    other.push({ status, tookMs: performance.now() - sentMs })
    await sleep(pauseMs)
  }
  await Promise.all(attacking)
  return { own, other }
}
