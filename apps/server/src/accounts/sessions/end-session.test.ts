import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sendRequest, signInAgain, signUp } from '../../../test/people.ts'
import { startApp } from '../../../test/start-app.ts'

const app = await startApp()
const alice = await signUp(app, 'Alice')
const bob = await signUp(app, 'Bob')

const works = async (token: string) => {
  const { status } = await sendRequest(app, 'GET', '/api/my_profile', undefined, { authorization: token })
  return status === 200
}

test('Alice ends one of her sessions, and does not find another person’s', async () => {
  const phone = await signInAgain(app, alice.email)
  const { body } = await alice.send('GET', '/api/auth/sessions')
  const [{ _id }] = body.sessions
  const stranger = await bob.send('DELETE', `/api/auth/sessions/${_id}`)
  assert.equal(stranger.status, 404)
  assert.equal(stranger.body.code, 'session_not_found')
  assert.equal(await works(phone), true)
  assert.equal((await alice.send('DELETE', `/api/auth/sessions/${_id}`)).status, 200)
  assert.equal(await works(phone), false)
  assert.equal((await alice.send('DELETE', `/api/auth/sessions/${_id}`)).status, 404)
})

test('answers an invalid id with not found', async () => {
  const wrong = ['1', 'me', "'", '%00', `${alice.profile._id}0`, alice.profile._id.toUpperCase()]
  for (const id of [...wrong, alice.profile._id]) {
    const { status, body } = await alice.send('DELETE', `/api/auth/sessions/${id}`)
    assert.equal(status, 404, id)
    assert.equal(body.code, 'session_not_found')
  }
})

test('ending the current session removes the cookie, too', async () => {
  const token = await signInAgain(app, alice.email)
  const { body } = await sendRequest(app, 'GET', '/api/auth/sessions', undefined, { authorization: token })
  const own = body.sessions.find(({ current }: { current: boolean }) => current)
  const ended = await sendRequest(app, 'DELETE', `/api/auth/sessions/${own._id}`, undefined, { authorization: token })
  assert.match(ended.headers.get('set-cookie') ?? '', /Max-Age=0/)
  assert.equal(await works(token), false)
})
