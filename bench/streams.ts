import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { evaluateTarget, printTable } from './figures.ts'
import { type InstanceFixture, startInstance } from './fixture.ts'
import { type Person, signUp } from './prepared-data.ts'
import { familyProcessorMs, memoryMb, processorMs } from './processes.ts'

type StreamsOptions = { streams: number; guestsPerRoom: number; seconds: number }

/** Targets for 10,000 idle streams of one instance (docs/performance.md, "Idle streams"). */
const maxTransactions = { kind: 'at most', value: 100 } as const
const maxCores = { kind: 'at most', value: 0.2 } as const

/** Opening more at the same time would measure the accept queue. */
const openedAtOnce = 100

/** Measure the transactions, processor time and memory of guests who wait for admission while nothing changes. */
export async function benchStreams({ streams, guestsPerRoom, seconds }: StreamsOptions) {
  await using started = new AsyncDisposableStack()
  const fixture = await startInstance(started, { TRUST_PROXY: '127.0.0.1' })
  const { parley, postgresPid } = fixture
  const host = await signUp(fixture, 'alice')
  const rooms = await scheduleRooms(parley.port, host, Math.ceil(streams / guestsPerRoom))
  const guests = Array.from({ length: streams }, (_, at) => ({
    room: rooms[Math.floor(at / guestsPerRoom)] as Room,
    cookie: randomBytes(32).toString('base64url'),
    address: `10.${at >> 16}.${(at >> 8) & 255}.${at & 255}`,
    admissionId: `00000000-0000-7000-8000-${String(at).padStart(12, '0')}`,
  }))
  const before = await memoryMb(parley.pid)

  const counts = { events: 0, comments: 0, ended: 0 }
  const sockets: Socket[] = []
  started.defer(async () => {
    for (const socket of sockets) socket.destroy()
  })
  const openedMs = performance.now()
  for (let at = 0; at < guests.length; at += openedAtOnce) {
    const group = guests.slice(at, at + openedAtOnce)
    // A waiting guest without an open stream is removed after some seconds.
    await insertWaiting(fixture, group)
    sockets.push(...(await Promise.all(group.map((guest) => openStream(parley.port, guest, counts)))))
  }
  const openingSeconds = (performance.now() - openedMs) / 1000
  await fixture.owner.query('vacuum (analyze) admission, meeting')
  // The first checks and updates after the opening are not part of the idle load.
  await sleep(10_000)

  const commentsBefore = counts.comments
  const eventsBefore = counts.events
  const transactionsBefore = await countTransactions(fixture)
  const serviceBefore = await processorMs([parley.pid])
  const postgresBefore = await familyProcessorMs(postgresPid)
  const beganMs = performance.now()
  await sleep(seconds * 1000)
  const elapsedMs = performance.now() - beganMs
  const transactions = ((await countTransactions(fixture)) - transactionsBefore) / (elapsedMs / 1000)
  const service = ((await processorMs([parley.pid])) - serviceBefore) / elapsedMs
  const postgresCores = ((await familyProcessorMs(postgresPid)) - postgresBefore) / elapsedMs
  const after = await memoryMb(parley.pid)
  const comments = counts.comments - commentsBefore
  const events = counts.events - eventsBefore
  const ended = counts.ended

  // A host's action must still reach all waiting guests of the room immediately.
  const wokenMs = await timeToAdmit(parley.port, host, rooms[0] as Room, counts, Math.min(guestsPerRoom, streams))
  printTable(`${streams} idle streams, ${guestsPerRoom} in each room, ${seconds} s`, [
    ['Measure', 'Figure'],
    ['opened in, s', openingSeconds.toFixed(1)],
    ['transactions a second', evaluateTarget(transactions, maxTransactions)],
    ['cores, service and PostgreSQL', evaluateTarget(service + postgresCores, maxCores)],
    ['  of them the service', service.toFixed(3)],
    ['  of them PostgreSQL', postgresCores.toFixed(3)],
    ['comments a second', (comments / (elapsedMs / 1000)).toFixed(0)],
    ['events while nothing happened', String(events)],
    ['streams that ended', String(ended)],
    ['memory a stream, KB', (((after ?? 0) - (before ?? 0)) * (1024 / streams)).toFixed(1)],
    ['all guests of a room notified of their admission, ms', wokenMs.toFixed(0)],
  ])
}

type Room = { id: string; svcMeetId: string }
type Guest = { room: Room; cookie: string; address: string; admissionId: string }

async function scheduleRooms(port: number, host: Person, count: number): Promise<Room[]> {
  const rooms: Room[] = []
  for (let made = 0; made < count; made++) {
    const start = Date.now() + 5 * 60_000
    const response = await fetch(`http://127.0.0.1:${port}/api/meeting`, {
      method: 'POST',
      headers: { authorization: host.token, 'content-type': 'application/json' },
      body: JSON.stringify({
        topic: 'Waiting room',
        startTime: new Date(start).toISOString(),
        endTime: new Date(start + 4 * 3_600_000).toISOString(),
        participants: [],
        description: '',
        isPinEnabled: true,
        repeatOptions: { repeat: 'none', timeZone: 'GMT' },
        advancedOptions: { waitingRoom: true },
      }),
    })
    if (!response.ok) throw new Error(`No meeting: ${await response.text()}`)
    const { meetingDetails } = (await response.json()) as { meetingDetails: { _id: string; svcMeetId: string } }
    rooms.push({ id: meetingDetails._id, svcMeetId: meetingDetails.svcMeetId })
  }
  return rooms
}

/** Insert admissions as if each guest had asked to enter just now. */
async function insertWaiting({ owner }: Pick<InstanceFixture, 'owner'>, guests: readonly Guest[]) {
  const hashes = guests.map(({ cookie }) => createHash('sha256').update(cookie).digest())
  await owner.query(
    `insert into admission (id, meeting_id, guest_hash, name, role, state, asked_at, occurrence_at, seen_at)
     select g.id, g.meeting_id, g.hash, 'Guest', 'participant', 'waiting', now(), m.starts_at, now()
     from unnest($1::uuid[], $2::uuid[], $3::bytea[]) as g (id, meeting_id, hash) join meeting m on m.id = g.meeting_id`,
    [guests.map(({ admissionId }) => admissionId), guests.map(({ room }) => room.id), hashes],
  )
}

const openStream = (port: number, { room, cookie, address, admissionId }: Guest, counts: StreamCounts) =>
  openSocket(port, counts, {
    path: `/api/rooms/${room.svcMeetId}/admissions/${admissionId}/events`,
    headers: [`Cookie: parley_guest=${cookie}`, `X-Forwarded-For: ${address}`],
  })

type StreamCounts = { events: number; comments: number; ended: number }

/** Open a stream, and count what it sends. @returns its socket, once the first event or id has come */
async function openSocket(
  port: number,
  counts: StreamCounts,
  { path, headers }: { path: string; headers: readonly string[] },
): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write([`GET ${path} HTTP/1.1`, 'Host: localhost', ...headers, '\r\n'].join('\r\n'))
  const first = Promise.withResolvers<void>()
  let begun = ''
  socket.on('error', first.reject)
  socket.once('close', () => {
    counts.ended += 1
    first.reject(new Error(`A stream ended at once: ${begun.slice(0, 300)}`))
  })
  socket.on('data', (bytes) => {
    const text = bytes.toString('latin1')
    if (begun.length < 2_000) begun += text
    counts.events += text.split('data: ').length - 1
    counts.comments += text.split('\n:\n').length - 1
    if (/\n(data|id): /.test(begun)) first.resolve()
  })
  await first.promise
  return socket
}

async function countTransactions({ owner }: Pick<InstanceFixture, 'owner'>): Promise<number> {
  const { rows } = await owner.query<{ count: string }>(
    `select xact_commit + xact_rollback as count from pg_stat_database where datname = current_database()`,
  )
  return Number(rows[0]?.count)
}

async function timeToAdmit(port: number, host: Person, room: Room, counts: { events: number }, guests: number) {
  const before = counts.events
  const beganMs = performance.now()
  const response = await fetch(`http://127.0.0.1:${port}/api/rooms/${room.svcMeetId}/admit-all`, {
    method: 'POST',
    headers: { authorization: host.token },
  })
  if (!response.ok) throw new Error(`Not admitted: ${await response.text()}`)
  while (counts.events - before < guests) {
    if (performance.now() - beganMs > 60_000) throw new Error(`Notified ${counts.events - before} of ${guests}`)
    await sleep(1)
  }
  return performance.now() - beganMs
}
