import assert from 'node:assert/strict'
import { test } from 'node:test'
import { approvedApp, callbackUrl } from '../../test/approved-app.ts'
import { authorizeUrl, consent } from '../../test/consenting-person.ts'
import { meetPeople } from '../../test/people.ts'
import { startApp } from '../../test/start-app.ts'

const app = await startApp()
const { alice, bob } = await meetPeople(app)
const planner = await approvedApp(app, bob)
const ask = (parameters: Record<string, string> = {}) =>
  authorizeUrl(app, {
    ...{ client_id: planner.clientId, redirect_uri: callbackUrl, response_type: 'code', state: 'abc' },
    ...parameters,
  })

test('Alice allows', async () => {
  const back = await consent(app, alice, ask())
  assert.equal(back.origin + back.pathname, callbackUrl)
  assert.match(back.href, /\?code=oac_\w+&state=abc&iss=http%3A%2F%2Fparley.test$/)
})
