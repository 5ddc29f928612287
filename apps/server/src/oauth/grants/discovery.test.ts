import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scopeNames } from '@parley/contract'
import { sendRequest } from '../../../test/people.ts'
import { expectOk } from '../../../test/replies.ts'
import { publicAddress, startApp } from '../../../test/start-app.ts'
import { useApp } from '../../../test/use-app.ts'
import { bearerChallenge } from '../../access/bearer-challenge.ts'

const { app: service } = await useApp()
const read = (path: string) => expectOk(sendRequest(service, 'GET', path))
const readServer = () => read('/.well-known/oauth-authorization-server')

test('a client without an account reads the addresses of the server, with the issuer that it compares (RFC 8414, 3.3)', async () => {
  const server = await readServer()
  assert.equal(server.issuer, publicAddress)
  assert.equal(server.authorization_endpoint, `${publicAddress}/oauth2/authorize`)
  assert.equal(server.token_endpoint, `${publicAddress}/api/oauth2/v2/token`)
  assert.deepEqual(server.code_challenge_methods_supported, ['S256'])
  assert.equal(server.authorization_response_iss_parameter_supported, true)
})

test('serves each address that the document names', async () => {
  for (const [name, address] of Object.entries<string>(await readServer()).filter(([key]) =>
    key.endsWith('_endpoint'),
  )) {
    const { status } = await fetch(service.base + new URL(address).pathname)
    // 400, 401 and 405: the address exists but must be called differently.
    assert.ok([400, 401, 405].includes(status), `${name}: ${status}`)
  }
})

test('says whether a client id may be the URL of a document', async () => {
  const readFrom = async (clients: string) => {
    const other = await startApp({ environment: { AGENT_CLIENTS: clients } })
    const server = await expectOk(sendRequest(other, 'GET', '/.well-known/oauth-authorization-server'))
    return server.client_id_metadata_document_supported
  }
  assert.deepEqual(await Promise.all(['off', 'reviewed', 'open'].map(readFrom)), [undefined, true, true])
})

test('a client that knows only the path of OpenID Connect reads the same document', async () => {
  assert.deepEqual(await read('/.well-known/openid-configuration'), await readServer())
})

test('a refused client finds the authorization server by the challenge (RFC 9728, 5.1)', async () => {
  const refused = await sendRequest(service, 'GET', '/api/my_profile')
  const [, address = ''] = /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '') ?? []
  assert.equal(address, `${publicAddress}/.well-known/oauth-protected-resource`)
  const metadata = await read(new URL(address).pathname)
  assert.equal(metadata.resource, publicAddress)
  assert.deepEqual(metadata.authorization_servers, [publicAddress])
  assert.deepEqual(metadata.scopes_supported, scopeNames)
})

test('the challenge of the MCP server leads to its metadata, which names it (RFC 9728, 3.3)', async () => {
  const challenge = bearerChallenge({ baseUrl: publicAddress, resource: 'mcp' })
  const [, address = ''] = /resource_metadata="([^"]+)"/.exec(challenge) ?? []
  assert.deepEqual(await read(new URL(address).pathname), {
    resource: `${publicAddress}/mcp`,
    authorization_servers: [publicAddress],
    scopes_supported: scopeNames,
    bearer_methods_supported: ['header'],
    resource_documentation: `${publicAddress}/docs/assistants`,
  })
})

test('lists the scopes with the sentences that people read', async () => {
  const { scopes } = await read('/api/oauth2/scopes')
  assert.equal(scopes.length, 6)
  assert.deepEqual(scopes[0], { scope: 'user:read', description: 'Read your profile information' })
})
