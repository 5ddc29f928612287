import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sendRequest } from '../../../test/people.ts'
import { startApp } from '../../../test/start-app.ts'

test('a client that knows only the path of OpenID Connect reads the same document', async () => {
  const service = await startApp()
  const known = await sendRequest(service, 'GET', '/.well-known/oauth-authorization-server')
  const { status, body } = await sendRequest(service, 'GET', '/.well-known/openid-configuration')
  assert.equal(status, 200)
  assert.deepEqual(body, known.body)
})
