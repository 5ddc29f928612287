import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sendRequest } from '../../../test/people.ts'
import { startApp } from '../../../test/start-app.ts'

const service = await startApp()

test('lists the scopes with the sentences that people read', async () => {
  const { status, body } = await sendRequest(service, 'GET', '/api/oauth2/scopes')
  assert.equal(status, 200)
  assert.equal(body.scopes.length, 6)
  assert.deepEqual(body.scopes[0], { scope: 'user:read', description: 'Read your profile information' })
})
