import assert from 'node:assert/strict'
import { test } from 'node:test'
import { problems } from '@parley/contract'
import { sendRequest } from '../../test/people.ts'
import { startApp } from '../../test/start-app.ts'

const app = await startApp()
const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

test('the type of a problem leads to the meaning of its code', async () => {
  const refused = await sendRequest(app, 'GET', '/api/my_profile')
  const { pathname } = new URL(refused.body.type)
  const { status, body } = await sendRequest(app, 'GET', pathname)
  assert.equal(status, 200)
  assert.deepEqual(body, { code: 'unauthorized', ...problems.unauthorized })
})

test('answers not found for an unknown code, and for a property name of an object', async () => {
  for (const code of ['nothing', 'constructor', '__proto__', '..%2f..%2fpackage.json', '%3Cscript%3E']) {
    for (const accept of [browser, 'application/json']) {
      const { status } = await fetch(`${app.base}/problems/${code}`, { headers: { accept } })
      assert.equal(status, 404, code)
    }
  }
  assert.equal((await sendRequest(app, 'GET', '/problems/nothing')).body.code, 'not_found')
})
