import type { TestContext } from 'node:test'
import { cancelPath, detailsPath, type Person, signUp } from '../../apps/server/test/people.ts'
import { createClock } from '../../apps/server/test/start-app.ts'
import { type ArrivedMail, inTurns, readMail, setFailures, startDelivering } from './delivering-service.ts'
import { type Body, type Change, someChange, someMeeting } from './random-changes.ts'
import { createRandomSource, type RandomSource } from './random-source.ts'

const dayMs = 24 * 3_600_000
const start = '2030-03-01T08:00:00Z'

/** The mails of one guest in order of arrival, and the expected calendar. */
export type GuestResult = {
  name: string
  guest: string
  /** The steps, for analysing a failure. */
  story: string[]
  mails: ArrivedMail[]
  from: Date
  until: Date
  /** Dates as `start/end` in UTC. */
  expected: string[]
}

type Case = {
  name: string
  random: RandomSource
  guests: string[]
  body: Body
  meeting: { _id: string }
  story: string[]
  /** Cancelled without a mail: guests keep their calendars, as the host intended. */
  isQuietlyCancelled: boolean
  isCancelled: boolean
}

export type Options = {
  seed: number
  cases: number
  rounds: number
  /** Concurrent requests of hosts. */
  atOnce?: number
}

/**
 * Change random meetings at random through the API, while the mail server fails at random and processes die between two
 * mails. At the end the mail server works, and each meeting is changed once more, so that changes without notification
 * are mailed as well.
 */
export async function runDeliveries(context: TestContext, { seed, cases, rounds, atOnce = 12 }: Options) {
  const random = createRandomSource(seed)
  const clock = createClock(start)
  const environment = { RATE_LIMITS: 'off' }
  const { app, server, failures, deaths, runJobs } = await startDelivering(context, { random, clock, environment })
  const alice = await signUp(app, 'Alice')

  const all: Case[] = []
  await inTurns(Array.from({ length: cases }), atOnce, async (_nothing, index) => {
    const own = createRandomSource(seed * 7_919 + index)
    const guests = ['bob', 'carol', 'dan'].map((name) => `${name}.${index}@elsewhere.example`)
    const body = someMeeting(own, guests, clock.now().getTime())
    const isQuiet = own.happens(0.15)
    const made = await alice.send('POST', `/api/meeting${isQuiet ? '?sendUpdates=none' : ''}`, body)
    // A rule without occurrences is refused.
    if (made.status !== 200) return
    const story = [`made${isQuiet ? ' quietly' : ''}: ${describe(body)}`]
    const meeting = made.body.meetingDetails
    const name = `case ${index}`
    all.push({ name, random: own, guests, body, meeting, story, isQuietlyCancelled: false, isCancelled: false })
  })

  for (let round = 0; round < rounds; round++) {
    setFailures(random, all, failures)
    deaths.rate = random.happens(0.4) ? 0.02 : 0
    if (random.happens(0.8)) await runJobs()
    clock.advance(random.one([20_000, 90_000, 300_000, 3_600_000, dayMs / 2, 2 * dayMs, 6 * dayMs]))
    const at = clock.now().toISOString()
    await inTurns(all, atOnce, async (one) => {
      if (one.isCancelled || !one.random.happens(0.8)) return
      const continuation = await change(alice, one, clock.now(), at)
      if (continuation !== undefined) all.push(continuation)
    })
  }

  failures.clear()
  deaths.rate = 0
  clock.advance(3 * 60_000)
  await runJobs()
  await inTurns(all, atOnce, async (one) => {
    if (one.isCancelled) return
    one.body = { ...one.body, topic: 'Last topic' }
    await alice.send('PUT', detailsPath(one.meeting), one.body)
  })
  clock.advance(3 * 60_000)
  await runJobs()
  clock.advance(3 * 60_000)
  await runJobs()

  const results: GuestResult[] = []
  const mailsOf = Map.groupBy(await Promise.all(server.arrived.map(readMail)), ({ to, uid }) => `${to} ${uid}`)
  const skipped = { quietlyCancelled: 0, unreachable: 0 }
  await inTurns(all, atOnce, async (one) => {
    if (one.isQuietlyCancelled) skipped.quietlyCancelled++
    else for (const guest of one.guests) await collect(one, guest)
  })

  async function collect(one: Case, guest: string) {
    const { rows } = await app.pool.query<{ pending: boolean; missed: boolean }>(
      'select pending, failing_since is not null as missed from guest_delivery where email_key = $1 and meeting_id = $2',
      [guest, one.meeting._id],
    )
    if (rows[0]?.pending === true) throw new Error(`${guest} still waits for a mail: ${one.story.join('\n')}`)
    // The cancellation was refused permanently, or for a day. The host sees this, and a cancellation is not retried.
    if (one.isCancelled && rows[0]?.missed === true) return void skipped.unreachable++
    const now = clock.now()
    const mails = mailsOf.get(`${guest} ${one.meeting._id}`) ?? []
    // An invitation that was never sent and its cancellation cancel each other out: no guest is invited to a cancelled
    // series for the date that is running.
    const isInvited = one.body.participants.includes(guest) && !(one.isCancelled && mails.length === 0)
    const until = new Date(now.getTime() + 100 * dayMs)
    const occurrences = async (from: Date) => {
      if (!isInvited) return []
      const range = `from=${from.toISOString()}&to=${until.toISOString()}&limit=1000`
      const { body } = await alice.send('GET', `${detailsPath(one.meeting)}/occurrences?${range}`)
      return body.occurrences.map((date: { startTime: string; endTime: string }) => `${date.startTime}/${date.endTime}`)
    }
    const ahead = await occurrences(now)
    // While future dates are left, the last change has mailed the whole meeting, including past dates.
    const from = ahead.length > 0 ? new Date('2029-12-01T00:00:00Z') : now
    results.push({
      name: one.name,
      guest,
      story: one.story,
      mails,
      from,
      until,
      expected: await occurrences(from),
    })
  }
  return { results, skipped, mails: server.arrived.length, cases: all.length }
}

/** Make the next change. Returns the meeting that continues a split one. */
async function change(alice: Person, one: Case, now: Date, at: string): Promise<Case | undefined> {
  const next = someChange(one.random, one.body, one.guests, now.getTime())
  const query = next.isQuiet ? '?sendUpdates=none' : ''
  const logStatus = (status: number) =>
    one.story.push(`${at} ${next.name}${next.isQuiet ? ', quietly' : ''}: ${status}`)
  if (next.kind === 'update') {
    const { status } = await alice.send('PUT', `${detailsPath(one.meeting)}${query}`, next.body)
    logStatus(status)
    if (status === 200) one.body = next.body
    one.story.push(`  ${describe(one.body)}`)
    return undefined
  }
  if (next.kind === 'split') return split(alice, one, next, { query, logStatus })
  if ('ofOne' in next) return void (await changeOne(alice, one, next, { query, logStatus }))
  let body: object = { cancel: next.kind === 'cancel-all' ? 'all' : 'current' }
  if (next.kind === 'cancel-named') {
    const { body: found } = await alice.send('GET', `${detailsPath(one.meeting)}/occurrences?limit=10`)
    if (found.occurrences.length === 0) return undefined
    body = { cancel: 'current', occurrence: one.random.one<{ startTime: string }>(found.occurrences).startTime }
  }
  const { status } = await alice.send('POST', `${cancelPath(one.meeting)}${query}`, body)
  logStatus(status)
  const { body: read } = await alice.send('GET', detailsPath(one.meeting))
  if (read[0].status !== 'cancelled') return undefined
  one.isCancelled = true
  one.isQuietlyCancelled = next.isQuiet
  return undefined
}

/** Change this and following occurrences, from one of the next on. */
async function split(
  alice: Person,
  one: Case,
  next: Extract<Change, { kind: 'split' }>,
  { query, logStatus }: { query: string; logStatus: (status: number) => void },
): Promise<Case | undefined> {
  const { body: found } = await alice.send('GET', `${detailsPath(one.meeting)}/occurrences?limit=10&status=all`)
  if (found.occurrences.length === 0) return undefined
  const { originalStartTime } = one.random.one<Shown>(found.occurrences)
  const startTime = new Date(Date.parse(originalStartTime) + next.byMinutes * 60_000).toISOString()
  const sent = { ...next.changes, occurrence: originalStartTime, ...(next.byMinutes !== 0 && { startTime }) }
  const { status, body } = await alice.send('POST', `${detailsPath(one.meeting)}/split${query}`, sent)
  one.story.push(`  ${JSON.stringify(sent)}`)
  logStatus(status)
  // Only a series with something before the occurrence can be split.
  if (status !== 200) return undefined
  const { body: read } = await alice.send('GET', detailsPath(one.meeting))
  one.body = bodyOf(read[0])
  const random = createRandomSource(one.random.below(1_000_000))
  const continuation = { ...one, name: `${one.name}, continued`, random, meeting: body, body: bodyOf(body) }
  return { ...continuation, story: [...one.story, `  continued as ${describe(continuation.body)}`] }
}

/** What a client sends back of a meeting that it read. */
const bodyOf = (read: Omit<Body, 'participants'> & { participants: { email: string }[] }): Body => ({
  topic: read.topic,
  startTime: read.startTime,
  endTime: read.endTime,
  participants: read.participants.map(({ email }) => email),
  description: read.description,
  advancedOptions: {},
  isPinEnabled: true,
  repeatOptions: read.repeatOptions,
})

type Shown = { startTime: string; endTime: string; originalStartTime: string; status: string }

/** Change one occurrence, chosen among those that the change fits. */
async function changeOne(
  alice: Person,
  one: Case,
  next: Extract<Change, { ofOne: true }>,
  { query, logStatus }: { query: string; logStatus: (status: number) => void },
) {
  const { body } = await alice.send('GET', `${detailsPath(one.meeting)}/occurrences?limit=10&status=all`)
  const statuses = { 'change-one': 'active changed', 'rename-one': 'active changed', 'undo-one': 'changed' }
  const wanted = next.kind === 'restore-one' ? 'cancelled' : statuses[next.kind]
  const shown: Shown[] = body.occurrences.filter(({ status }: Shown) => wanted.split(' ').includes(status))
  if (shown.length === 0) return
  const { originalStartTime, startTime, endTime } = one.random.one(shown)
  const path = `${detailsPath(one.meeting)}/occurrences/${encodeURIComponent(originalStartTime)}`
  switch (next.kind) {
    case 'change-one': {
      const start = Date.parse(startTime) + next.byMinutes * 60_000
      const lengthMs =
        next.lengthMinutes === null ? Date.parse(endTime) - Date.parse(startTime) : next.lengthMinutes * 60_000
      const times = { startTime: new Date(start).toISOString(), endTime: new Date(start + lengthMs).toISOString() }
      one.story.push(`  ${originalStartTime} to ${times.startTime}/${times.endTime}`)
      logStatus((await alice.send('PUT', `${path}${query}`, times)).status)
      break
    }
    case 'rename-one':
      logStatus((await alice.send('PUT', `${path}${query}`, { topic: `Own topic ${one.story.length}` })).status)
      break
    case 'undo-one':
      one.story.push(`  ${originalStartTime}`)
      logStatus((await alice.send('DELETE', `${path}${query}`)).status)
      break
    case 'restore-one':
      one.story.push(`  ${originalStartTime}`)
      logStatus((await alice.send('POST', `${path}/restore${query}`)).status)
  }
}

const describe = ({ startTime, topic, participants, repeatOptions }: Body) =>
  `${topic} at ${startTime} for ${participants.map((guest) => guest.split('.')[0]).join(' ')} ${JSON.stringify(repeatOptions)}`
