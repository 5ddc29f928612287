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
const remove = async (person: Person, meeting: { _id: string }) => {
  const { status, body } = await person.send('DELETE', removePath(meeting))
  return status === 200 ? body.status : `${status} ${body.code}`
}

test("Carol removes a meeting from her list, once, and may add it again; it stays on Mallory's list", async () => {
  const meeting = await schedule(alice)
  await add(carol, meeting)
  await add(mallory, meeting)
  assert.equal(await remove(carol, meeting), 'The meeting is off your list.')
  const codeFor = async (person: Person) => (await person.send('GET', detailsPath(meeting))).status
  assert.deepEqual([await codeFor(carol), await codeFor(mallory)], [404, 200])
  assert.equal(await remove(carol, meeting), '404 meeting_not_found')
  await add(carol, meeting)
  assert.equal(await codeFor(carol), 200)
})

test('refuses removal by the host and by invited people', async () => {
  const meeting = await schedule(alice)
  for (const person of [alice, bob]) {
    await add(person, meeting)
    assert.equal(await remove(person, meeting), '404 meeting_not_found')
    await expectOk(person.send('GET', detailsPath(meeting)))
  }
})

test('answers an invalid id with not found, and refuses callers who are not signed in', async () => {
  const meeting = await schedule(alice)
  await add(carol, meeting)
  for (const _id of ['nonsense', '%00', '00000000-0000-7000-8000-000000000000']) {
    assert.equal(await remove(carol, { _id }), '404 meeting_not_found')
  }
  await expectProblem(sendRequest(app, 'DELETE', removePath(meeting)), 'unauthorized')
  const script = (await carol.send('POST', '/api/auth/tokens', { name: 'Script', scopes: ['meeting:read'] })).body
  await expectProblem(
    sendRequest(app, 'DELETE', removePath(meeting), undefined, { authorization: script.token }),
    'session_required',
  )
})
