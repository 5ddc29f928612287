import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sendRequest } from '../../../test/people.ts'
import { publicAddress, startApp } from '../../../test/start-app.ts'

const service = await startApp()

test('a client without an account reads the addresses of the server, with the issuer that it compares (RFC 8414, 3.3)', async () => {
  const { status, body } = await sendRequest(service, 'GET', '/.well-known/oauth-authorization-server')
  assert.equal(status, 200)
  assert.equal(body.issuer, publicAddress)
  assert.equal(body.authorization_endpoint, `${publicAddress}/oauth2/authorize`)
  assert.equal(body.token_endpoint, `${publicAddress}/api/oauth2/v2/token`)
  assert.deepEqual(body.code_challenge_methods_supported, ['S256'])
  assert.equal(body.authorization_response_iss_parameter_supported, true)
})

test('says whether a client id may be the URL of a document', async () => {
  const read = async (clients: string) => {
    const app = await startApp({ environment: { AGENT_CLIENTS: clients } })
    const { body } = await sendRequest(app, 'GET', '/.well-known/oauth-authorization-server')
    return body.client_id_metadata_document_supported
  }
  assert.deepEqual(await Promise.all(['off', 'reviewed', 'open'].map(read)), [undefined, true, true])
})

test('serves each address that the document names', async () => {
  const { body } = await sendRequest(service, 'GET', '/.well-known/oauth-authorization-server')
  for (const [name, address] of Object.entries<string>(body).filter(([key]) => key.endsWith('_endpoint'))) {
    const { status } = await fetch(service.base + new URL(address).pathname)
    // 400, 401 and 405: the address exists but must be called differently.
    assert.ok([400, 401, 405].includes(status), `${name}: ${status}`)
  }
})
