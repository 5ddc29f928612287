import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sendRequest, signInAgain, signUp } from '../../../test/people.ts'
import { startApp } from '../../../test/start-app.ts'

const app = await startApp()
const alice = await signUp(app, 'Alice')

const works = async (token: string) => {
  const { status } = await sendRequest(app, 'GET', '/api/my_profile', undefined, { authorization: token })
  return status === 200
}

test('Alice signs out of one device and stays signed in on the other', async () => {
  const phone = await signInAgain(app, alice.email)
  const { status, body, headers } = await sendRequest(app, 'POST', '/api/auth/sign-out', undefined, {
    authorization: phone,
  })
  assert.equal(status, 200)
  assert.deepEqual(body, { status: 'You are signed out.' })
  assert.equal(headers.get('set-cookie'), 'parley_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax')
  assert.equal(await works(phone), false)
  assert.equal(await works(alice.token), true)
  assert.equal((await sendRequest(app, 'POST', '/api/auth/sign-out', undefined, { authorization: phone })).status, 401)
})
