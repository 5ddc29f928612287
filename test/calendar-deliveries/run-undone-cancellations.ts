import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { cancelPath, detailsPath, type Person, schedule, signUp, standUp } from '../../apps/server/test/people.ts'
import { createClock } from '../../apps/server/test/start-app.ts'
import { inTurns, readMail, setFailures, startDelivering } from './delivering-service.ts'
import { createRandomSource, type RandomSource } from './random-source.ts'
import type { GuestResult, Options } from './run-deliveries.ts'

const start = '2030-03-01T08:00:00Z'

/** A guest, and why their last mail is not there: `limit` waits for the next day, `given-up` was refused. */
type UndoneResult = GuestResult & { missing: 'nothing' | 'limit' | 'given-up' }

type Case = { host: Person; guests: string[]; meeting: { _id: string }; random: RandomSource; story: string[] }
type Shown = { startTime: string; endTime: string; originalStartTime: string }

/** What is undone: a date by its restoring, a whole meeting or this and all following dates by the undo. */
type Undo = { name: string; path: string }

/**
 * Cancel dates and whole series at random and undo that within seconds or minutes, while the mail server fails and
 * processes die. Each host's account is new, and the limits of its first day apply. No later change tells a guest what an
 * undo has not told.
 */
export async function runUndoneCancellations(
  context: TestContext,
  { seed, cases, rounds, atOnce = 12 }: Options,
): Promise<UndoneResult[]> {
  const random = createRandomSource(seed)
  const clock = createClock(start)
  const { app, server, failures, deaths, runJobs } = await startDelivering(context, { random, clock, environment: {} })
  await signUp(app, 'Administrator')

  const all: Case[] = []
  await inTurns(Array.from({ length: cases }), atOnce, async (_nothing, index) => {
    const host = await signUp(app, `Host${index}`)
    const guests = ['bob', 'carol', 'dan'].map((name) => `${name}.${index}@elsewhere.example`)
    const times = { startTime: '2030-03-01T12:00:00Z', endTime: '2030-03-01T12:30:00Z' }
    const repeatOptions = { repeat: 'daily', timeZone: 'UTC', endDate: '2030-03-20T12:00:00Z' }
    const meeting = await schedule(host, standUp({ ...times, participants: guests, repeatOptions }))
    all.push({ host, guests, meeting, random: createRandomSource(seed * 7_919 + index), story: [] })
  })
  for (let round = 0; round < rounds; round++) {
    setFailures(random, all, failures)
    deaths.rate = random.happens(0.4) ? 0.02 : 0
    if (random.happens(0.8)) await runJobs()
    const undos = new Map<Case, Undo>()
    await inTurns(all, atOnce, async (one) => {
      const undo = one.random.happens(0.8) ? await cancel(one) : undefined
      if (undo !== undefined) undos.set(one, undo)
      one.story.push(`${clock.now().toISOString()} ${undo?.name ?? 'nothing'}`)
    })
    if (random.happens(0.7)) await runJobs()
    clock.advance(random.one([2_000, 2_000, 2_000, 29_000, 31_000, 150_000]))
    await inTurns([...undos], atOnce, async ([one, { path }]) => {
      // A whole meeting that stays cancelled ends the story of its guests.
      if (!one.random.happens(path.endsWith('/undo') ? 0.97 : 0.85)) return
      const { status } = await one.host.send('POST', path)
      one.story.push(`${clock.now().toISOString()} undone: ${status}`)
    })
    if (random.happens(0.5)) await runJobs()
    clock.advance(random.one([5_000, 20_000, 90_000, 300_000, 900_000]))
  }
  failures.clear()
  deaths.rate = 0
  for (let times = 0; times < 3; times++) {
    await runJobs()
    clock.advance(125_000)
  }

  const mailsOf = Map.groupBy(await Promise.all(server.arrived.map(readMail)), ({ to }) => to)
  const results: UndoneResult[] = []
  await inTurns(all, atOnce, async ({ host, guests, meeting, story }) => {
    const from = clock.now()
    const until = new Date('2030-04-01T00:00:00Z')
    const range = `from=${from.toISOString()}&to=${until.toISOString()}`
    const { body } = await host.send('GET', `${detailsPath(meeting)}/occurrences?${range}`)
    const expected = body.occurrences.map(({ startTime, endTime }: Shown) => `${startTime}/${endTime}`)
    for (const guest of guests) {
      const found = await app.pool.query<{ missing: UndoneResult['missing'] }>(
        `select case when failing_since is not null then 'given-up' when pending then 'limit' else 'nothing' end as missing
         from guest_delivery where email_key = $1`,
        [guest],
      )
      const { missing } = found.rows[0] ?? assert.fail('no delivery')
      const mails = mailsOf.get(guest) ?? []
      results.push({ name: meeting._id, guest, story, mails, from, until, expected, missing })
    }
  })
  return results
}

async function cancel({ host, meeting, random }: Case): Promise<Undo | undefined> {
  const { body } = await host.send('GET', `${detailsPath(meeting)}/occurrences?limit=10`)
  if (body.occurrences.length === 0) return undefined
  const { startTime, originalStartTime } = random.one<Shown>(body.occurrences)
  const extent = random.happens(0.9) ? 'current' : random.one(['following', 'all'] as const)
  const sent = { cancel: extent, ...(extent !== 'all' && { occurrence: startTime }) }
  const undoable = extent !== 'current' || random.happens(0.3)
  const { status } = await host.send('POST', `${cancelPath(meeting)}?undoable=${undoable}`, sent)
  if (status !== 200) return undefined
  const date = `${detailsPath(meeting)}/occurrences/${encodeURIComponent(originalStartTime)}`
  const path = extent === 'current' ? `${date}/restore` : `${cancelPath(meeting)}/undo`
  return { name: `cancelled ${extent} ${originalStartTime}${undoable ? ', undoable' : ''}`, path }
}
