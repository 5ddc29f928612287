import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codeOf, createPasskeyUse, passkeysPath } from '../../../test/passkeys.ts'
import { sendRequest, signUp } from '../../../test/people.ts'
import { createClock, startApp } from '../../../test/start-app.ts'

const clock = createClock('2030-01-01T00:00:00Z')
const app = await startApp({ clock })
const { add, signIn } = createPasskeyUse(app)

test('shows Alice her passkeys, newest first, none of Bob’s, and no key', async () => {
  const [alice, bob] = [await signUp(app, 'Alice'), await signUp(app, 'Bob')]
  assert.deepEqual((await alice.send('GET', passkeysPath)).body, { passkeys: [] })
  const laptop = await add(alice, undefined, 'Laptop')
  clock.advance(60_000)
  const phone = await add(alice, undefined, 'Phone')
  await add(bob)
  clock.advance(60_000)
  await signIn(phone.authenticator)
  const { status, body } = await alice.send('GET', passkeysPath)
  assert.equal(status, 200)
  const unused = { lastUsedOn: null, synced: false, suspectedOn: null }
  assert.deepEqual(body, {
    passkeys: [
      {
        _id: phone.passkey._id,
        name: 'Phone',
        createdOn: '2030-01-01T00:01:00.000Z',
        ...unused,
        lastUsedOn: '2030-01-01T00:02:00.000Z',
      },
      { _id: laptop.passkey._id, name: 'Laptop', createdOn: '2030-01-01T00:00:00.000Z', ...unused },
    ],
  })
})

test('refuses callers who are not signed in, and personal tokens', async () => {
  const carol = await signUp(app, 'Carol')
  assert.equal(codeOf(await sendRequest(app, 'GET', passkeysPath)), '401 unauthorized')
  const { body } = await carol.send('POST', '/api/auth/tokens', { name: 'Script', scopes: ['user:read'] })
  const byScript = await sendRequest(app, 'GET', passkeysPath, undefined, { authorization: body.token })
  assert.equal(codeOf(byScript), '403 session_required')
})
