import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { assistantApp, assistantToken, connectAssistant, postMcp, toolCall } from '../../test/mcp/assistant.ts'
import { meetPeople, schedule, standUp } from '../../test/people.ts'
import { errorsIn, startApp } from '../../test/start-app.ts'

const app = await startApp({ emails: 'dropped', environment: { RATE_LIMITS: 'off' } })
const { olga, alice } = await meetPeople(app)
const bearer = { authorization: `Bearer ${await assistantToken(app, await assistantApp(app, olga), alice)}` }
const assistant = await connectAssistant(app, bearer.authorization.slice('Bearer '.length))
const meeting = await schedule(alice, standUp())

const nested = (depth: number): unknown => (depth === 0 ? 1 : { more: nested(depth - 1) })

test('no message, whatever it holds, is an error of the service', async () => {
  const before = app.logged.length
  const values: unknown[] = [
    null,
    0,
    -1,
    1e308,
    '',
    '\u0000',
    '\ud83d',
    'x'.repeat(300_000),
    [],
    {},
    [null],
    nested(100),
    { __proto__: 1, constructor: { prototype: 1 } },
    '2027-03-29T09:00',
    '{"$ref":"#/definitions/x"}',
  ]
  const { tools } = await assistant.client.listTools()
  const messages: unknown[] = values.flatMap((value) => [
    value,
    { jsonrpc: '2.0', id: value, method: 'tools/list' },
    { jsonrpc: '2.0', id: 1, method: value },
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: value },
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: value } },
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'who_am_i', arguments: value } },
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'who_am_i', _meta: value } },
    { jsonrpc: '2.0', id: 1, method: 'initialize', params: value },
    { jsonrpc: '2.0', method: value },
  ])
  for (const { name, inputSchema } of tools) {
    for (const field of Object.keys(inputSchema.properties ?? {})) {
      for (const value of values) messages.push(toolCall(name, { meetingId: meeting._id, [field]: value }))
    }
  }
  assert.ok(messages.length > 700, `${messages.length}`)
  for (const message of messages) {
    const answered = await postMcp(app, message, bearer)
    const text = await answered.text()
    const sent = JSON.stringify(message).slice(0, 120)
    assert.ok(answered.status < 500, `${answered.status}: ${sent}`)
    assert.doesNotMatch(text, /internal_error|at .*\.ts:|node_modules|select |insert /i, sent)
  }
  assert.deepEqual(errorsIn(app.logged.slice(before)), [])
})

test('hostile headers of the protocol are refused', async () => {
  const before = app.logged.length
  for (const [name, value] of [
    ['mcp-protocol-version', 'x'.repeat(5_000)],
    ['mcp-protocol-version', '2026-07-28'],
    ['mcp-session-id', 'stolen'],
    ['mcp-method', 'tools/call'],
    ['accept', 'text/html'],
  ] as const) {
    const answered = await postMcp(app, toolCall('who_am_i'), { ...bearer, [name]: value })
    assert.ok(answered.status < 500, `${name}: ${answered.status}`)
  }
  assert.deepEqual(errorsIn(app.logged.slice(before)), [])
})

test('while the database is locked, a tool says when to try again, and nothing of the database', async () => {
  const holder = new pg.Client(app.shared.testDatabase.connection)
  await holder.connect()
  await holder.query('begin')
  await holder.query('lock table meeting')
  const { sentence, isError } = await assistant.call('list_meetings')
  await holder.query('rollback')
  await holder.end()
  assert.ok(isError)
  assert.match(sentence, /not available right now.* Try again in \d+ seconds\. \(unavailable, request [\w-]+\)$/)
  assert.equal((await assistant.done('list_meetings')).totalCount, 1)
})
