import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cancelPath, detailsPath, schedule, signUp, standUp } from '../../test/people.ts'
import { createClock, startApp } from '../../test/start-app.ts'
import { mostLettersADay } from './invitation-quota.ts'

const clock = createClock('2030-01-01T12:00:00Z')
const app = await startApp({ clock, letters: 'dropped' })
const alice = await signUp(app, 'Alice')
const bob = await signUp(app, 'Bob')

const guests = (count: number) => Array.from({ length: count }, (_, index) => `guest${index}@elsewhere.example`)

test('so many invitations a day and no more; what would be one too many happens not at all', async () => {
  const inviteAll = (count: number) => alice.ask('POST', '/api/meeting', standUp({ participants: guests(count) }))
  for (let index = 0; index < mostLettersADay / 1000 - 1; index++) assert.equal((await inviteAll(1000)).status, 200)
  const meeting = await schedule(alice, standUp({ participants: guests(999) }))

  const refused = await inviteAll(2)
  assert.equal(refused.status, 429)
  assert.equal(refused.body.code, 'too_many_invitations')
  assert.equal(refused.body.errors[0].path, '/participants')
  assert.match(refused.body.detail, /would mail 2 invitations; of 5000 within 24 hours you have 1 left/)
  assert.equal(refused.headers.get('retry-after'), String(24 * 60 * 60))
  const changed = { participants: guests(999), topic: 'Sit-down' }
  assert.equal((await alice.ask('PUT', detailsPath(meeting), standUp(changed))).status, 429)
  assert.equal((await alice.ask('GET', detailsPath(meeting))).body[0].topic, 'Stand-up')

  assert.equal((await inviteAll(1)).status, 200)
  assert.equal((await inviteAll(1)).status, 429)
  assert.equal((await inviteAll(0)).status, 200)
  assert.equal((await alice.ask('PUT', `${detailsPath(meeting)}?sendUpdates=none`, standUp(changed))).status, 200)
  assert.equal((await alice.ask('POST', cancelPath(meeting), { cancel: 'all' })).status, 200)
  assert.equal((await bob.ask('POST', '/api/meeting', standUp({ participants: guests(10) }))).status, 200)

  clock.advance(24 * 60 * 60 * 1000 - 1)
  assert.equal((await inviteAll(1)).status, 429)
  clock.advance(1)
  assert.equal((await inviteAll(1)).status, 200)
})
