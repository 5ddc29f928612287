import assert from 'node:assert/strict'
import { test } from 'node:test'
import { meetPeople, schedule, sendRequest, standUp } from '../../test/people.ts'
import { expectProblem } from '../../test/replies.ts'
import { createClock, startApp } from '../../test/start-app.ts'

const app = await startApp({ clock: createClock('2030-01-01T12:00:00Z'), emails: 'dropped' })
const { alice, bob, mallory } = await meetPeople(app)
const path = '/api/blocked-senders'

test('a person reads whom they have blocked, and no other person does', async () => {
  const meeting = await schedule(alice, standUp({ participants: [bob.email] }))
  assert.deepEqual((await bob.send('GET', path)).body, { blockedSenders: [] })
  const { body } = await bob.send('POST', path, { meetingId: meeting._id })
  const { _id: userId, name, lname, email } = alice.profile
  assert.deepEqual(body, { userId, name, lname, email, blockedOn: '2030-01-01T12:00:00.000Z' })
  assert.deepEqual((await bob.send('GET', path)).body, { blockedSenders: [body] })
  for (const person of [alice, mallory]) {
    assert.deepEqual((await person.send('GET', path)).body, { blockedSenders: [] })
  }
  await expectProblem(sendRequest(app, 'GET', path), 'unauthorized')
})
