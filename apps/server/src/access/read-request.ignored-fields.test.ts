import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cancelPath, detailsPath, meetPeople, schedule, standUp } from '../../test/people.ts'
import { expectOk, expectProblem } from '../../test/replies.ts'
import { startApp } from '../../test/start-app.ts'

const app = await startApp({ emails: 'dropped' })
const { alice } = await meetPeople(app)

const strict = { prefer: 'handling=strict' }
const sloppy = (changes: object = {}) =>
  standUp({
    agenda: 'A',
    advancedOptions: { waitingroom: true },
    participants: [{ email: 'bob@example.org', nick: 'Bo' }],
    ...changes,
  })
const unknown = ['/advancedOptions/waitingroom', '/agenda', '/participants/0/nick']

test('a reply names the fields of the body that were ignored, also as the first answer again', async () => {
  const key = { 'idempotency-key': 'sloppy' }
  for (const _ of [1, 2]) {
    const created = await alice.send('POST', '/api/meeting', sloppy(), key)
    await expectOk(created)
    assert.deepEqual(created.body.ignoredFields.toSorted(), unknown)
    assert.equal(created.headers.get('preference-applied'), null)
  }
  const meeting = await schedule(alice)
  const updated = await expectOk(alice.send('PUT', detailsPath(meeting), sloppy()))
  assert.deepEqual(updated.ignoredFields.toSorted(), unknown)
  const cancelled = await expectOk(alice.send('POST', cancelPath(meeting), { cancel: 'all', reason: 'ill' }))
  assert.deepEqual(cancelled.ignoredFields, ['/reason'])
})

test('a reply to a request with known fields alone has no such list', async () => {
  for (const headers of [{}, strict]) {
    const created = await alice.send('POST', '/api/meeting', standUp(), headers)
    assert.deepEqual(Object.keys(created.body).toSorted(), ['meetingDetails', 'status'])
    assert.equal(created.headers.get('preference-applied'), headers === strict ? 'handling=strict' : null)
  }
})

test('handling=strict refuses each unknown field, beside all other violations, and changes nothing', async () => {
  const refused = await alice.send('POST', '/api/meeting?sendUpdate=none', sloppy({ topic: '' }), strict)
  const expected = [...unknown, '/sendUpdate'].map((path) => `${path} unknown_field`)
  await expectProblem(refused, 'invalid_request', [...expected, '/topic too_short'].toSorted())
  assert.equal(refused.headers.get('preference-applied'), 'handling=strict')
  const message = refused.body.errors.find(({ path }: { path: string }) => path === '/advancedOptions/waitingroom')
  assert.equal(message.message, 'advancedOptions.waitingroom is no field of this request.')
  const meeting = await schedule(alice)
  await alice.send('PUT', detailsPath(meeting), sloppy(), strict)
  assert.equal((await alice.send('GET', detailsPath(meeting))).body[0].__v, 0)
})

const preferences = [
  ['handling=strict', true],
  ['respond-async, handling=strict; x=1', true],
  ['Handling="Strict"', true],
  ['handling=lenient', false],
  ['handling=stricter', false],
  ['', false],
] as const
for (const [prefer, applies] of preferences) {
  test(`Prefer: ${prefer || 'nothing'} ${applies ? 'refuses' : 'ignores'} unknown fields`, async () => {
    const { status } = await alice.send('POST', '/api/meeting', sloppy(), { prefer })
    assert.equal(status, applies ? 400 : 200)
  })
}

test('a webhook whose types are named otherwise is refused in any case', async () => {
  const url = 'https://planner.example.com/parley'
  for (const name of ['events', 'eventTypes']) {
    const refused = await expectProblem(
      alice.send('POST', '/api/webhooks', { url, [name]: ['meeting.updated'] }),
      'invalid_request',
      [`/${name} unknown_field`],
    )
    assert.equal(refused.detail, `${name} is called types here.`)
  }
})
