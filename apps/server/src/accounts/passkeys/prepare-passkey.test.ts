import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codeOf, passkeysPath } from '../../../test/passkeys.ts'
import { password, signUp } from '../../../test/people.ts'
import { createClock, startApp } from '../../../test/start-app.ts'

const minuteMs = 60_000
const clock = createClock('2030-01-01T00:00:00Z')
const app = await startApp({ clock })

test('requires the password in a session older than ten minutes', async () => {
  const frank = await signUp(app, 'Frank')
  const prepare = (body: object) => frank.send('POST', `${passkeysPath}/options`, body)
  clock.advance(10 * minuteMs - 1)
  assert.equal((await prepare({})).status, 200)
  clock.advance(1)
  assert.equal(codeOf(await prepare({})), '403 recent_sign_in_required')
  assert.equal(codeOf(await prepare({ currentPassword: 'wrong' })), '401 wrong_credentials')
  assert.equal((await prepare({ currentPassword: password })).status, 200)
})

test('counts wrong passwords for adding a passkey', async () => {
  const grace = await signUp(app, 'Grace')
  const prepare = (currentPassword: string) => grace.send('POST', `${passkeysPath}/options`, { currentPassword })
  for (let failures = 0; failures < 10; failures++) assert.equal((await prepare('wrong')).status, 401)
  assert.equal((await prepare(password)).status, 429)
})
