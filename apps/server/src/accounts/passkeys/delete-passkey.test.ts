import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codeOf, createPasskeyUse, passkeysPath } from '../../../test/passkeys.ts'
import { sendRequest, signUp } from '../../../test/people.ts'
import { startApp } from '../../../test/start-app.ts'

const app = await startApp()
const { add, signIn, listOf } = createPasskeyUse(app)
const ivan = await signUp(app, 'Ivan')

test('Ivan removes one of his passkeys: it stops working at once, and the other one still works', async () => {
  const phone = await add(ivan, undefined, 'Phone')
  const { authenticator, passkey } = await add(ivan)
  const own = `${passkeysPath}/${passkey._id}`
  assert.equal((await ivan.send('DELETE', own)).status, 200)
  assert.deepEqual(await listOf(ivan), [phone.passkey])
  assert.equal(codeOf(await signIn(authenticator)), '401 wrong_passkey')
  assert.equal((await signIn(phone.authenticator)).status, 200)
  assert.equal(codeOf(await ivan.send('DELETE', own)), '404 passkey_not_found')
})

test('answers not found to Mallory for Ivan’s passkey and for an invalid id, and refuses callers who are not signed in', async () => {
  const mallory = await signUp(app, 'Mallory')
  const { authenticator, passkey } = await add(ivan, undefined, 'Tablet')
  for (const id of [passkey._id, 'nonsense', '%00']) {
    assert.equal(codeOf(await mallory.send('DELETE', `${passkeysPath}/${id}`)), '404 passkey_not_found')
  }
  assert.equal(codeOf(await sendRequest(app, 'DELETE', `${passkeysPath}/${passkey._id}`)), '401 unauthorized')
  assert.equal((await signIn(authenticator)).status, 200)
})
