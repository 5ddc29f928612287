import assert from 'node:assert/strict'
import { test } from 'node:test'
import { detailsPath, meetPeople, type Person, schedule, sendRequest } from '../../../test/people.ts'
import { expectOk, expectProblem } from '../../../test/replies.ts'
import { startApp } from '../../../test/start-app.ts'

const app = await startApp({ emails: 'dropped' })
const { alice, bob, carol, mallory } = await meetPeople(app)

const add = async (person: Person, { svcMeetId, pin }: { svcMeetId: string; pin: string }) => {
  await expectOk(person.send('POST', `/api/meeting/add/${svcMeetId}`, { pin }))
}
const removePath = ({ _id }: { _id: string }) => `/api/meeting/added/${_id}`
const remove = (person: Person, meeting: { _id: string }) => person.send('DELETE', removePath(meeting))

test("Carol removes a meeting from her list, once, and may add it again; it stays on Mallory's list", async () => {
  const meeting = await schedule(alice)
  await add(carol, meeting)
  await add(mallory, meeting)
  assert.equal((await expectOk(remove(carol, meeting))).status, 'The meeting is off your list.')
  await expectProblem(carol.send('GET', detailsPath(meeting)), 'meeting_not_found')
  await expectOk(mallory.send('GET', detailsPath(meeting)))
  await expectProblem(remove(carol, meeting), 'meeting_not_found')
  await add(carol, meeting)
  await expectOk(carol.send('GET', detailsPath(meeting)))
})

test('refuses removal by the host and by invited people', async () => {
  const meeting = await schedule(alice)
  for (const person of [alice, bob]) {
    await add(person, meeting)
    await expectProblem(remove(person, meeting), 'meeting_not_found')
    await expectOk(person.send('GET', detailsPath(meeting)))
  }
})

test('answers an invalid id with not found, and refuses callers who are not signed in', async () => {
  const meeting = await schedule(alice)
  await add(carol, meeting)
  for (const _id of ['nonsense', '%00', '00000000-0000-7000-8000-000000000000']) {
    await expectProblem(remove(carol, { _id }), 'meeting_not_found')
  }
  await expectProblem(sendRequest(app, 'DELETE', removePath(meeting)), 'unauthorized')
  const script = (await carol.send('POST', '/api/auth/tokens', { name: 'Script', scopes: ['meeting:read'] })).body
  await expectProblem(
    sendRequest(app, 'DELETE', removePath(meeting), undefined, { authorization: script.token }),
    'session_required',
  )
})
