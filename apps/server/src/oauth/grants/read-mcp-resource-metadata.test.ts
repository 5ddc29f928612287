import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scopeNames } from '@parley/contract'
import { sendRequest } from '../../../test/people.ts'
import { publicAddress, startApp } from '../../../test/start-app.ts'
import { bearerChallenge } from '../../access/bearer-challenge.ts'

test('the challenge of the MCP server leads to its metadata, which names it (RFC 9728, 3.3)', async () => {
  const service = await startApp()
  const challenge = bearerChallenge({ baseUrl: publicAddress, resource: 'mcp' })
  const [, address = ''] = /resource_metadata="([^"]+)"/.exec(challenge) ?? []
  const { status, body } = await sendRequest(service, 'GET', new URL(address).pathname)
  assert.equal(status, 200)
  assert.deepEqual(body, {
    resource: `${publicAddress}/mcp`,
    authorization_servers: [publicAddress],
    scopes_supported: scopeNames,
    bearer_methods_supported: ['header'],
    resource_documentation: `${publicAddress}/docs/assistants`,
  })
})
