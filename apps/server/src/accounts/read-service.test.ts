import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sendRequest, signUp } from '../../test/people.ts'
import { startApp } from '../../test/start-app.ts'

test('shows a visitor that the service is new until an account exists, and who may sign up', async () => {
  const app = await startApp({ environment: { SIGN_UP: 'invite' } })
  assert.deepEqual((await sendRequest(app, 'GET', '/api/service')).body, {
    firstRun: true,
    setUpCodeRequired: false,
    signUp: 'invite',
    providerName: null,
    reminderMinutes: 15,
    mailIsSent: true,
    linksAreLocal: false,
  })
  await signUp(app, 'Olga')
  assert.deepEqual((await sendRequest(app, 'GET', '/api/service')).body, {
    firstRun: false,
    setUpCodeRequired: false,
    signUp: 'invite',
    providerName: null,
    reminderMinutes: 15,
    mailIsSent: true,
    linksAreLocal: false,
  })
})

test('shows a visitor the name of the sign-in provider, and no more of it', async () => {
  const provider = { OIDC_ISSUER: 'https://login.acme.example', OIDC_CLIENT_ID: 'parley', OIDC_CLIENT_SECRET: 'secret' }
  const app = await startApp({ environment: { ...provider, OIDC_NAME: 'Acme' } })
  const { body } = await sendRequest(app, 'GET', '/api/service')
  assert.deepEqual(body, {
    firstRun: true,
    setUpCodeRequired: false,
    signUp: 'open',
    providerName: 'Acme',
    reminderMinutes: 15,
    mailIsSent: true,
    linksAreLocal: false,
  })
})

test('shows a visitor whether email leaves the service, and whether its links open elsewhere', async () => {
  const fresh = await startApp({ outreach: 'none', environment: { BASE_URL: 'http://localhost:3000' } })
  const { mailIsSent, linksAreLocal } = (await sendRequest(fresh, 'GET', '/api/service')).body
  assert.deepEqual({ mailIsSent, linksAreLocal }, { mailIsSent: false, linksAreLocal: true })
})

test('shows a remote visitor that the first account needs the set-up code, until there is one', async () => {
  const app = await startApp({ firstAccountPolicy: 'protected', environment: { BASE_URL: 'http://parley.localhost' } })
  const asks = async (headers: Record<string, string> = {}) =>
    (await sendRequest(app, 'GET', '/api/service', undefined, headers)).body.setUpCodeRequired
  const elsewhere = { 'x-forwarded-for': '192.0.2.1' }
  assert.deepEqual([await asks(), await asks(elsewhere)], [false, true])
  await signUp(app, 'Olga')
  assert.deepEqual([await asks(), await asks(elsewhere)], [false, false])
})
