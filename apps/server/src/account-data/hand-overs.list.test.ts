import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Person, password, schedule, signUp, standUp } from '../../test/people.ts'
import { expectOk } from '../../test/replies.ts'
import { createClock, startApp } from '../../test/start-app.ts'
import { handOverMs } from './erase-accounts.ts'

const clock = createClock('2030-01-01T12:00:00Z')
const app = await startApp({ clock })
// The first account of a service administers it, and cannot leave.
const [other, host, first, second] = [
  await signUp(app, 'Other'),
  await signUp(app, 'Host'),
  await signUp(app, 'First'),
  await signUp(app, 'Second'),
]

const offersTo = async (person: Person) => {
  const body = await expectOk(person.send('GET', '/api/meeting/hand-overs'))
  return body.handOvers.map(({ topic }: { topic: string }) => topic)
}

test('lists the meetings of a deleted account to each of their cohosts, until the offers end', async () => {
  const cohosts = [first.email, second.email]
  const meeting = await schedule(host, standUp({ topic: 'Board', cohosts, participants: [other.email] }))
  await schedule(host, standUp({ topic: 'Lunch', cohosts: [first.email], participants: [] }))
  assert.deepEqual(await offersTo(first), [], 'the host is here')
  await host.send('POST', '/api/my_profile/delete', { currentPassword: password, meetings: 'hand_over' })
  await app.mails()
  const { body } = await first.send('GET', '/api/meeting/hand-overs')
  const board = body.handOvers.find(({ topic }: { topic: string }) => topic === 'Board')
  assert.deepEqual(board, {
    meetingId: meeting._id,
    topic: 'Board',
    host: { name: 'Host Test', email: host.email },
    guests: 3,
    offeredOn: clock.now().toISOString(),
    expiresOn: new Date(clock.now().getTime() + handOverMs).toISOString(),
  })
  assert.deepEqual((await offersTo(first)).toSorted(), ['Board', 'Lunch'])
  assert.deepEqual(await offersTo(second), ['Board'])
  assert.deepEqual(await offersTo(other), [], 'a guest')

  const demoted = 'update participant set cohost = false where meeting_id = $1 and email_key = $2'
  await app.pool.query(demoted, [meeting._id, second.email])
  assert.deepEqual(await offersTo(second), [], 'no longer a cohost')
  clock.advance(handOverMs)
  assert.deepEqual(await offersTo(first), [])
})
