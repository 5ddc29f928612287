import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assistantApp, assistantToken, connectAssistant } from '../../test/mcp/assistant.ts'
import type { Person } from '../../test/people.ts'
import { useApp } from '../../test/use-app.ts'

const { app, clock, olga, meet } = await useApp({
  start: '2027-03-28T12:30:00Z',
  environment: { RATE_LIMITS: 'off', TZ_ALIASES: 'KIWI=Pacific/Auckland' },
})
const registered = await assistantApp(app, olga)
const connect = async (person: Person) =>
  connectAssistant(app, await assistantToken(app, registered, person, { clock }))

test('says who Alice is, and which day it is in her zone', async () => {
  const [alice] = await meet('Alice')
  await alice.send('PUT', '/api/my_profile', { timeZone: 'KIWI' })
  const assistant = await connect(alice)
  const { result, sentence } = await assistant.call('who_am_i')
  assert.deepEqual(result, {
    name: 'Alice Test',
    timeZone: 'Pacific/Auckland',
    now: {
      weekday: 'Monday',
      local: '2027-03-29T01:30',
      timeZone: 'Pacific/Auckland',
      offset: '+13:00',
      utc: '2027-03-28T12:30:00.000Z',
    },
  })
  assert.equal(sentence, 'You act for Alice Test; it is Monday, 2027-03-29 01:30 (Pacific/Auckland).')
})

test('says that Bob has set no zone, and gives the time in UTC', async () => {
  const [bob] = await meet('Bob')
  const assistant = await connect(bob)
  const { result, sentence } = await assistant.call('who_am_i')
  assert.equal(result.timeZone, null)
  assert.equal(result.now.local, '2027-03-28T12:30')
  assert.match(sentence, /Sunday, 2027-03-28 12:30 \(UTC; the person has set no time zone\)/)
})

test('a client of the revisions of 2025 is answered the same', async () => {
  const [alice] = await meet('Alice')
  await alice.send('PUT', '/api/my_profile', { timeZone: 'KIWI' })
  const assistant = await connectAssistant(app, await assistantToken(app, registered, alice, { clock }), {
    era: 'legacy',
  })
  assert.equal((await assistant.done('who_am_i')).timeZone, 'Pacific/Auckland')
})

test('refuses arguments that do not exist', async () => {
  const [alice] = await meet('Alice')
  const assistant = await connect(alice)
  assert.match(await assistant.refused('who_am_i', { timeZone: 'Asia/Tokyo' }), /who_am_i/)
})
