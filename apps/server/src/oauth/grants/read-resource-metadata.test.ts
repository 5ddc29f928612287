import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scopeNames } from '@parley/contract'
import { sendRequest } from '../../../test/people.ts'
import { publicAddress, startApp } from '../../../test/start-app.ts'

test('a refused client finds the authorization server by the challenge (RFC 9728, 5.1)', async () => {
  const service = await startApp()
  const refused = await sendRequest(service, 'GET', '/api/my_profile')
  const [, address = ''] = /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '') ?? []
  assert.equal(address, `${publicAddress}/.well-known/oauth-protected-resource`)
  const { status, body } = await sendRequest(service, 'GET', new URL(address).pathname)
  assert.equal(status, 200)
  assert.equal(body.resource, publicAddress)
  assert.deepEqual(body.authorization_servers, [publicAddress])
  assert.deepEqual(body.scopes_supported, scopeNames)
})
