import assert from 'node:assert/strict'
import { test } from 'node:test'
import { meetPeople, type Person, schedule, standUp } from '../../test/people.ts'
import { expectOk, expectProblem } from '../../test/replies.ts'
import { startApp } from '../../test/start-app.ts'

const app = await startApp({ emails: 'dropped' })
const { alice, bob, carol } = await meetPeople(app)
const path = '/api/blocked-senders'
const unblock = (person: Person, userId: string) => person.send('DELETE', `${path}/${userId}`)
const countOf = async (person: Person) => (await person.send('GET', '/api/meeting/me')).body.totalCount

test('a person unblocks a sender once, and the blocks of others stay', async () => {
  const meeting = await schedule(alice, standUp({ participants: [bob.email, carol.email] }))
  for (const person of [bob, carol]) await person.send('POST', path, { meetingId: meeting._id })
  assert.equal((await expectOk(unblock(bob, alice.profile._id))).status, 'This sender is no longer blocked.')
  assert.deepEqual([await countOf(bob), await countOf(carol)], [1, 0])
  await expectProblem(unblock(bob, alice.profile._id), 'sender_not_blocked')
})

test('an account that is not blocked is answered like one that does not exist', async () => {
  for (const userId of [carol.profile._id, '00000000-0000-4000-8000-000000000000', 'x']) {
    await expectProblem(unblock(bob, userId), 'sender_not_blocked')
  }
})
