import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { maxStreams } from '../apps/server/src/access/streams.ts'
import { evaluateTarget, printTable } from './figures.ts'
import { makeFolder, startDatabase } from './fixture.ts'
import { type Person, signUp } from './prepared-data.ts'
import { familyProcessorMs, memoryMb, processorMs, startProcess } from './processes.ts'
import { countTransactions, maxCores, maxTransactions, openedAtOnce, openSocket, type StreamCounts } from './streams.ts'

export type FollowersOptions = { followers: number; seconds: number }

/**
 * Measure the transactions, processor time and memory of programs that follow the event log while nothing happens, and
 * the time from a change to its event at all streams of the account.
 */
export async function benchFollowers({ followers, seconds }: FollowersOptions) {
  await using started = new AsyncDisposableStack()
  const dataDir = await makeFolder(started)
  const database = await startDatabase(dataDir, started)
  const secretKey = randomBytes(32)
  const environment = {
    ...database.environment,
    PORT: '0',
    MEDIA_UDP_PORT: '0',
    DATA_DIR: dataDir,
    SECRET_KEY: secretKey.toString('hex'),
    RATE_LIMITS: 'off',
  }
  const people = await prepare(environment, secretKey, Math.ceil(followers / maxStreams.followersOfAccount))
  const parley = await startProcess('apps/server/src/main.ts', { ...environment, TRUST_PROXY: '127.0.0.1' })
  started.defer(() => parley.stop())
  const fixture = { owner: database.owner }
  const before = await memoryMb(parley.pid)
  const counts: StreamCounts = { events: 0, comments: 0, ended: 0 }
  const requests = Array.from({ length: followers }, (_, at) => ({
    path: '/api/events?follow=true',
    headers: [
      `Authorization: Bearer ${people[Math.floor(at / maxStreams.followersOfAccount)]?.token}`,
      `X-Forwarded-For: 10.0.${at >> 8}.${at & 255}`,
    ],
  }))
  for (let at = 0; at < requests.length; at += openedAtOnce) {
    const group = requests.slice(at, at + openedAtOnce)
    const sockets = await Promise.all(group.map((request) => openSocket(parley.port, counts, request)))
    started.defer(async () => {
      for (const socket of sockets) socket.destroy()
    })
  }
  // The second reads after the opening are not part of the idle load.
  await sleep(10_000)

  const [eventsBefore, transactionsBefore] = [counts.events, await countTransactions(fixture)]
  const [serviceBefore, postgresBefore] = [await processorMs([parley.pid]), await familyProcessorMs(database.pid)]
  const beganMs = performance.now()
  await sleep(seconds * 1_000)
  const elapsedMs = performance.now() - beganMs
  const transactions = ((await countTransactions(fixture)) - transactionsBefore) / (elapsedMs / 1_000)
  const service = ((await processorMs([parley.pid])) - serviceBefore) / elapsedMs
  const postgres = ((await familyProcessorMs(database.pid)) - postgresBefore) / elapsedMs
  const after = await memoryMb(parley.pid)
  const [idleEvents, ended] = [counts.events - eventsBefore, counts.ended]

  const ofAccount = Math.min(maxStreams.followersOfAccount, followers)
  const latencies: number[] = []
  for (let times = 0; times < 20; times += 1)
    latencies.push(await timeToReceive(parley.port, people, counts, ofAccount))
  latencies.sort((a, b) => a - b)
  printTable(`${followers} programs that follow the event log, ${ofAccount} for each account, ${seconds} s`, [
    ['transactions a second', evaluateTarget(transactions, maxTransactions)],
    ['cores, service and PostgreSQL', evaluateTarget(service + postgres, maxCores)],
    ['  of them the service', service.toFixed(3)],
    ['  of them PostgreSQL', postgres.toFixed(3)],
    ['events while nothing happened', String(idleEvents)],
    ['streams that ended', String(ended)],
    ['memory a stream, KB', (((after ?? 0) - (before ?? 0)) * (1024 / followers)).toFixed(1)],
    ['from the request to its event at all streams of the account, ms: median', (latencies[10] ?? 0).toFixed(0)],
    ['  the longest of 20', (latencies.at(-1) ?? 0).toFixed(0)],
  ])
}

/** By another process, so that sign-ups are no part of the memory that is measured. */
async function prepare(environment: Record<string, string>, secretKey: Buffer, count: number): Promise<Person[]> {
  const parley = await startProcess('apps/server/src/main.ts', environment)
  try {
    const people: Person[] = []
    for (let made = 0; made < count; made += 1) people.push(await signUp({ parley, secretKey }, `follower${made}`))
    return people
  } finally {
    await parley.stop()
  }
}

async function timeToReceive(port: number, [person]: readonly Person[], counts: StreamCounts, streams: number) {
  const before = counts.events
  const beganMs = performance.now()
  const response = await fetch(`http://127.0.0.1:${port}/api/meeting?sendUpdates=none`, {
    method: 'POST',
    headers: { authorization: person?.token ?? '', 'content-type': 'application/json' },
    body: JSON.stringify({
      topic: 'Followed',
      startTime: '2030-01-07T09:00:00Z',
      endTime: '2030-01-07T09:30:00Z',
      participants: [],
      description: '',
      isPinEnabled: true,
      repeatOptions: { repeat: 'none', timeZone: 'UTC' },
      advancedOptions: {},
    }),
  })
  if (!response.ok) throw new Error(`No meeting: ${await response.text()}`)
  while (counts.events - before < streams) {
    if (performance.now() - beganMs > 60_000)
      throw new Error(`${counts.events - before} of ${streams} streams received it`)
    await sleep(1)
  }
  return performance.now() - beganMs
}
