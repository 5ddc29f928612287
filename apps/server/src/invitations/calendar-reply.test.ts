import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  createReadingLimits,
  maxInProgress,
  maxInProgressOfCalendar,
  maxInProgressOfNetwork,
  maxWaiting,
  readingLimits,
  replyWithCalendar,
} from './calendar-reply.ts'

function createAnswer() {
  const headers = new Map<string, string>()
  const sent = { status: 200 }
  const answer = {
    header: (name: string, value: string) => void headers.set(name, value),
    status: (code: number) => {
      sent.status = code
    },
  }
  return { answer, headers, sent }
}

test('composes nothing for a client that has the calendar, and again when what it depends on changes', async () => {
  let composed = 0
  const compose = async () => `calendar ${++composed}`
  const reply = async (dependsOn: unknown, ifNoneMatch?: string) => {
    const { answer, headers, sent } = createAnswer()
    const text = await replyWithCalendar({ dependsOn, compose }, { ifNoneMatch }, answer)
    return { text, status: sent.status, etag: String(headers.get('etag')) }
  }
  const first = await reply(['meeting', 1])
  assert.deepEqual([first.text, first.status], ['calendar 1', 200])
  assert.deepEqual(await reply(['meeting', 1], first.etag), { text: '', status: 304, etag: first.etag })
  assert.equal(composed, 1)
  const changed = await reply(['meeting', 2], first.etag)
  assert.deepEqual([changed.text, changed.status], ['calendar 2', 200])
})

/** Work that ends when the test says so. */
function createWorks() {
  const ends: (() => void)[] = []
  const work = () => new Promise<string>((resolve) => ends.push(() => resolve('done')))
  return { work, ends }
}
const turn = () => new Promise((resolve) => setImmediate(resolve))
const network = (place: number) => `192.0.2.${place}`

test('one calendar is read twice at the same time, and not a third time', async () => {
  const limit = createReadingLimits({ rateLimits: true })
  const { work, ends } = createWorks()
  const running = Array.from({ length: maxInProgressOfCalendar }, (_, place) =>
    limit({ calendar: 'alice', network: network(place) }, work),
  )
  await turn()
  await assert.rejects(limit({ calendar: 'alice', network: network(99) }, work), {
    code: 'too_many_requests',
    retryAfterSeconds: 1,
  })
  for (const end of ends) end()
  assert.deepEqual(await Promise.all(running), ['done', 'done'])
  assert.equal(await limit({ calendar: 'alice', network: network(99) }, async () => 'next'), 'next')
})

test('one network does not take all turns, and works wait for theirs', async () => {
  const limit = createReadingLimits({ rateLimits: true })
  const { work, ends } = createWorks()
  const running = Array.from({ length: maxInProgressOfNetwork }, (_, place) =>
    limit({ calendar: `of ${place}`, network: network(1) }, work),
  )
  await turn()
  assert.equal(ends.length, maxInProgress)
  await assert.rejects(limit({ calendar: 'one more', network: network(1) }, work), { code: 'too_many_requests' })
  const other = limit({ calendar: 'of another network', network: network(2) }, async () => 'other')
  for (let ended = 0; ended < maxInProgressOfNetwork; ended++) {
    ends[ended]?.()
    await turn()
    await turn()
  }
  assert.equal(await other, 'other')
  assert.equal((await Promise.all(running)).length, maxInProgressOfNetwork)
})

test('a reader whose turn would come late is told when to come back', async () => {
  const limit = createReadingLimits({ rateLimits: true })
  const { work, ends } = createWorks()
  const running = Array.from({ length: maxInProgress + maxWaiting }, (_, place) =>
    limit({ calendar: `of ${place}`, network: network(place % 100) }, work),
  )
  await turn()
  const late = limit({ calendar: 'late', network: network(200) }, work)
  await assert.rejects(late, { code: 'unavailable', retryAfterSeconds: 10 })
  for (let ended = 0; ended < running.length; ended++) {
    ends[ended]?.()
    await turn()
    await turn()
  }
  assert.equal((await Promise.all(running)).length, running.length)
})

test('one calendar is read a number of times in an hour', async () => {
  const limit = createReadingLimits({ rateLimits: true })
  const reader = { calendar: 'alice', network: network(1) }
  for (let reading = 0; reading < readingLimits.ofCalendar.points; reading++) await limit(reader, async () => '')
  await assert.rejects(
    limit(reader, async () => ''),
    { code: 'too_many_requests' },
  )
  assert.equal(await limit({ ...reader, calendar: 'bob' }, async () => 'of Bob'), 'of Bob')
})
