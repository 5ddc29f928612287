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

test('Alice ends all her sessions but this one; Bob’s stay', async () => {
  const others = [await signInAgain(app, alice.email), await signInAgain(app, alice.email)]
  assert.equal((await alice.send('DELETE', '/api/auth/sessions')).status, 200)
  for (const token of others) assert.equal(await works(token), false)
  assert.equal(await works(alice.token), true)
  assert.equal(await works(bob.token), true)
})
