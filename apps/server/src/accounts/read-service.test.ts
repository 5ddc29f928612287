import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask, signUp } from '../../test/people.ts'
import { startApp } from '../../test/start-app.ts'

test('a visitor learns that the service is new until somebody has an account, and who may sign up', async () => {
  const app = await startApp({ environment: { SIGN_UP: 'invite' } })
  assert.deepEqual((await ask(app, 'GET', '/api/service')).body, { firstRun: true, signUp: 'invite' })
  await signUp(app, 'Olga')
  assert.deepEqual((await ask(app, 'GET', '/api/service')).body, { firstRun: false, signUp: 'invite' })
})
