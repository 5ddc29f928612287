import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codeOf, createPasskeyUse, passkeysPath } from '../../../test/passkeys.ts'
import { sendRequest, signUp, violationsOf } from '../../../test/people.ts'
import { startApp } from '../../../test/start-app.ts'

const app = await startApp()
const { add, listOf } = createPasskeyUse(app)
const ivan = await signUp(app, 'Ivan')
const { passkey } = await add(ivan)
const own = `${passkeysPath}/${passkey._id}`

test('Ivan renames his passkey, and nothing else of it changes', async () => {
  const { status, body } = await ivan.send('PUT', own, { name: 'Phone' })
  assert.equal(status, 200)
  assert.deepEqual(body, { ...passkey, name: 'Phone' })
  assert.deepEqual(await listOf(ivan), [body])
})

test('accepts a name of 1 to 100 characters in one line', async () => {
  const violationsWith = async (name?: unknown) => violationsOf(await ivan.send('PUT', own, { name }))
  assert.deepEqual(await violationsWith('x'), [])
  assert.deepEqual(await violationsWith('x'.repeat(100)), [])
  assert.deepEqual(await violationsWith('x'.repeat(101)), ['/name too_long'])
  assert.deepEqual(await violationsWith(' '), ['/name too_short'])
  assert.deepEqual(await violationsWith('a\nb'), ['/name control_character'])
  assert.deepEqual(await violationsWith(7), ['/name wrong_type'])
  assert.deepEqual(await violationsWith(), ['/name required'])
})

test('answers not found to Mallory for Ivan’s passkey and for an invalid id, and refuses callers who are not signed in', async () => {
  const mallory = await signUp(app, 'Mallory')
  const [before] = await listOf(ivan)
  for (const id of [passkey._id, 'nonsense', '%00']) {
    const answer = await mallory.send('PUT', `${passkeysPath}/${id}`, { name: 'Mine' })
    assert.equal(codeOf(answer), '404 passkey_not_found')
  }
  assert.equal(codeOf(await sendRequest(app, 'PUT', own, { name: 'Mine' })), '401 unauthorized')
  assert.deepEqual(await listOf(ivan), [before])
})
