import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sendRequest } from '../../test/people.ts'
import { startApp } from '../../test/start-app.ts'

const app = await startApp()

test('shows everyone the running version, and its Node', async () => {
  const { status, body } = await sendRequest(app, 'GET', '/version')
  assert.deepEqual([status, body], [200, { version: 'test', node: process.version }])
})
