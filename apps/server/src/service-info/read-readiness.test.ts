import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sendRequest } from '../../test/people.ts'
import { startApp } from '../../test/start-app.ts'

const app = await startApp()
const read = () => sendRequest(app, 'GET', '/readyz')

test('a proxy sends requests until the service shuts down', async () => {
  const ready = await read()
  assert.deepEqual([ready.status, ready.body], [200, { status: 'ready' }])
  app.drain()
  const draining = await read()
  assert.deepEqual([draining.status, draining.body.code], [503, 'unavailable'])
  assert.equal(draining.body.detail, 'The service is shutting down.')
  assert.deepEqual([draining.headers.get('retry-after'), draining.headers.get('connection')], ['1', 'close'])
})
