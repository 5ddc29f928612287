import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  createReadingLimits,
  limitsOfCalendar,
  maxInProgress,
  maxWaiting,
  readingLimits,
  replyWithCalendar,
} from './calendars.ts'

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
/** End the first works, also those that begin meanwhile. */
async function endAll(ends: (() => void)[], count: number) {
  for (let ended = 0; ended < count; ended++) {
    ends[ended]?.()
    await turn()
    await turn()
  }
}
const turn = () => new Promise((resolve) => setImmediate(resolve))
const network = (place: number) => `192.0.2.${place}`

test('one calendar is read twice at the same time, two more readers wait, and a fifth is refused', async () => {
  const limit = createReadingLimits({ rateLimits: true })
  const { work, ends } = createWorks()
  const { inProgress, waiting } = limitsOfCalendar
  const readers = Array.from({ length: inProgress + waiting }, (_, place) =>
    limit({ calendar: 'alice', network: network(place) }, work),
  )
  await turn()
  assert.equal(ends.length, inProgress)
  await assert.rejects(limit({ calendar: 'alice', network: network(99) }, work), {
    code: 'too_many_requests',
    retryAfterSeconds: 1,
  })
  assert.equal(await limit({ calendar: 'bob', network: network(99) }, async () => 'of Bob'), 'of Bob')
  await endAll(ends, readers.length)
  assert.equal((await Promise.all(readers)).length, readers.length)
  assert.equal(await limit({ calendar: 'alice', network: network(99) }, async () => 'next'), 'next')
})

test('a network that reads many calendars leaves every second turn to others, and makes room for them', async () => {
  const limit = createReadingLimits({ rateLimits: true })
  const { work, ends } = createWorks()
  const outcomes: string[] = []
  const crowd = Array.from({ length: maxInProgress + maxWaiting }, (_, place) =>
    limit({ calendar: `of ${place}`, network: network(1) }, work).then(
      () => outcomes.push('read'),
      ({ code }: { code: string }) => outcomes.push(code),
    ),
  )
  await turn()
  assert.equal(ends.length, maxInProgress)
  // The newest reader of the crowded network is asked to come back.
  const other = limit({ calendar: 'of another network', network: network(2) }, async () => 'other')
  await turn()
  assert.deepEqual(outcomes, ['unavailable'])
  await endAll(ends, 2)
  assert.equal(await other, 'other')
  await endAll(ends, maxInProgress + maxWaiting)
  await Promise.all(crowd)
  assert.equal(outcomes.filter((outcome) => outcome === 'read').length, maxInProgress + maxWaiting - 1)
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
