import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Endpoint, endpoints } from '@parley/contract'
import { openapiDocument } from '@parley/contract/openapi'
import { Compile } from 'typebox/compile'
import { signUp } from '../../apps/server/test/people.ts'
import { expectOk } from '../../apps/server/test/replies.ts'
import { createClock, startApp } from '../../apps/server/test/start-app.ts'

/** The request examples of the contract, which /reference sends as they stand. */

const clock = createClock('2029-12-01T09:00:00Z')
const app = await startApp({ clock })
const writing: readonly Endpoint[] = endpoints.filter(({ body }) => body !== undefined)
const exampleOf = (name: string) => writing.find((one) => one.name === name)?.example

test('each operation with a body has one example, which its own schema accepts without an unknown field', () => {
  assert.ok(writing.length > 40)
  for (const { name, body, example } of writing) {
    assert.ok(body !== undefined && example !== undefined, `${name} has no example`)
    const check = Compile(body)
    assert.deepEqual([...check.Errors(example)], [], name)
    assert.deepEqual(
      Object.keys(example).filter((field) => !(field in body.properties)),
      [],
      name,
    )
  }
})

test('the document has each example once, beside its schema, and no key that every request would repeat', () => {
  const { paths, components } = openapiDocument({ baseUrl: 'https://meet.example.org', version: '1.0.0' })
  const operations = Object.values(paths).flatMap((path) => Object.values(path))
  const shown = operations.flatMap(({ operationId, requestBody }) =>
    requestBody === undefined
      ? []
      : [[operationId, Object.values(Object(requestBody).content).map((one) => Object(one).example)]],
  )
  assert.deepEqual(Object.fromEntries(shown), Object.fromEntries(writing.map(({ name, example }) => [name, [example]])))
  const { 'Idempotency-Key': key, ...others } = components.parameters as Record<string, { schema: object }>
  assert.ok(key !== undefined && Object.keys(others).length > 0)
  assert.doesNotMatch(JSON.stringify(key), /example|default/)
  const mailing = operations.flatMap(({ parameters = [] }) =>
    (parameters as { name?: string; example?: string }[]).filter(({ name }) => name === 'sendUpdates'),
  )
  assert.ok(mailing.length >= 7)
  assert.deepEqual([...new Set(mailing.map(({ example }) => example))], ['none'])
})

test('the examples of meetings work in the order in which people try them, and mail no person', async () => {
  const alice = await signUp(app, 'Alice')
  await app.mails()
  const send = (method: string, path: string, name: string, status = 200) =>
    expectOk(alice.send(method, path, exampleOf(name)), status)
  const preview = await send('POST', '/api/meeting/preview', 'previewMeeting')
  assert.equal(preview.occurrences.length, 5)
  const { meetingDetails: made } = await send('POST', '/api/meeting', 'createMeeting')
  assert.ok(new Date(made.startTime) > clock.now())
  assert.deepEqual([made.participants, made.advancedOptions.hardMute ?? false], [[], false])
  const path = `/api/meeting/meetingDetails/${made._id}`
  const changed = await send('PUT', path, 'updateMeeting')
  assert.equal(changed.topic, exampleOf('updateMeeting')?.topic)
  await send('PUT', `${path}/occurrences/2030-01-14T09:00:00.000Z`, 'changeOccurrence')
  await send('POST', `${path}/split`, 'splitMeeting')
  await send('POST', `/api/meeting/cancel/${made._id}`, 'cancelMeeting')
  assert.deepEqual(await app.mails(), [])
})
