import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sendRequest, signInAgain, signUp } from '../../../test/people.ts'
import { startApp } from '../../../test/start-app.ts'

const app = await startApp()
const bob = await signUp(app, 'Bob')

test('shows a page who is signed in, or that no person is', async () => {
  const read = (headers: Record<string, string> = {}) =>
    sendRequest(app, 'GET', '/api/auth/session', undefined, headers)
  const token = await signInAgain(app, bob.email)
  const inBrowser = { cookie: `parley_session=${token}` }
  assert.equal((await read(inBrowser)).body.user.email, bob.email)
  assert.equal((await read({ authorization: token })).body.user.email, bob.email)
  assert.deepEqual(await read().then(({ status, body }) => [status, body]), [200, { user: null }])
  const scopes = ['meeting:join', 'user:read']
  const { body: script } = await bob.send('POST', '/api/auth/tokens', { name: 'script', scopes })
  assert.deepEqual((await read({ authorization: script.token })).body, { user: null })
  await sendRequest(app, 'POST', '/api/auth/sign-out', undefined, { authorization: token })
  const after = await read(inBrowser)
  assert.deepEqual([after.status, after.body], [200, { user: null }])
})
