import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask, signUp } from '../../test/people.ts'
import { startApp } from '../../test/start-app.ts'

test('a visitor learns that the service is new until somebody has an account, and who may sign up', async () => {
  const app = await startApp({ environment: { SIGN_UP: 'invite' } })
  assert.deepEqual((await ask(app, 'GET', '/api/service')).body, {
    firstRun: true,
    signUp: 'invite',
    providerName: null,
  })
  await signUp(app, 'Olga')
  assert.deepEqual((await ask(app, 'GET', '/api/service')).body, {
    firstRun: false,
    signUp: 'invite',
    providerName: null,
  })
})

test('a visitor learns with whose provider people sign in here, and no more of it', async () => {
  const provider = { OIDC_ISSUER: 'https://login.acme.example', OIDC_CLIENT_ID: 'parley', OIDC_CLIENT_SECRET: 'secret' }
  const app = await startApp({ environment: { ...provider, OIDC_NAME: 'Acme' } })
  const { body } = await ask(app, 'GET', '/api/service')
  assert.deepEqual(body, { firstRun: true, signUp: 'open', providerName: 'Acme' })
})
