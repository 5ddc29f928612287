import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sendRequest } from '../../test/people.ts'
import { startApp } from '../../test/start-app.ts'

const app = await startApp()

test('a monitor without an account reads that the process responds, also while the service shuts down', async () => {
  const read = async () => {
    const { status, body } = await sendRequest(app, 'GET', '/healthz')
    return [status, body]
  }
  assert.deepEqual(await read(), [200, { status: 'alive' }])
  app.drain()
  assert.deepEqual(await read(), [200, { status: 'alive' }])
})
