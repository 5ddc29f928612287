import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Person, sendRequest, signUp } from '../../test/people.ts'
import { createClock, startApp } from '../../test/start-app.ts'

const path = '/api/auth/tokens'
const clock = createClock('2030-01-01T00:00:00Z')
const app = await startApp({ clock })
const olga = await signUp(app, 'Olga')

const make = (person: Person, changes: object = {}) =>
  person.send('POST', path, { name: 'Import script', scopes: ['meeting:read'], ...changes })

test('a deleted token is refused with its next request; another person’s is not found', async () => {
  const dave = await signUp(app, 'Dave')
  const { token, _id } = (await make(dave, { scopes: ['user:read'] })).body
  const uses = () => sendRequest(app, 'GET', '/api/my_profile', undefined, { authorization: token })
  assert.equal((await olga.send('DELETE', `${path}/${_id}`)).body.code, 'token_not_found')
  assert.equal((await uses()).status, 200)
  assert.equal((await dave.send('DELETE', `${path}/${_id}`)).status, 200)
  assert.equal((await uses()).status, 401)
  assert.equal((await dave.send('DELETE', `${path}/${_id}`)).status, 404)
  for (const id of ['1', 'x'.repeat(200), '%27']) assert.equal((await dave.send('DELETE', `${path}/${id}`)).status, 404)
})
