import assert from 'node:assert/strict'
import { test } from 'node:test'
import { appPath, approvedApp, done, meetDevelopers, refused, reviewPath, submit } from '../../test/oauth/apps.ts'
import { type Answer, violationsOf } from '../../test/people.ts'
import { startApp } from '../../test/start-app.ts'
import { findClient } from './client-store.ts'

const app = await startApp({ emails: 'dropped' })
const { rita, dan } = await meetDevelopers(app)
/** The violations of a request that is refused for them. */
async function violationsOfRefused(answering: Promise<Answer>) {
  const answer = await answering
  assert.deepEqual([answer.status, answer.body.code], [422, 'invalid_app'])
  return violationsOf(answer)
}

const pocket = (changes: object = {}) => ({
  name: 'Pocket',
  clientType: 'native',
  callbackUrls: ['com.acme.pocket:/callback', 'http://127.0.0.1/callback'],
  ...changes,
})

test('a native app has no secrets and always uses PKCE', async () => {
  const saved = await approvedApp(dan, rita, pocket({ requirePkce: false }))
  assert.deepEqual([saved.clientType, saved.requirePkce], ['native', true])
  for (const sandbox of [false, true]) {
    await refused(dan.send('POST', appPath(saved, '/secrets'), { name: 'x', sandbox }), 409, 'public_client')
  }
  assert.deepEqual(await done(dan.send('GET', appPath(saved, '/secrets'))), { secrets: [] })
  for (const id of [saved.clientId, saved.sandboxClientId]) {
    const client = await findClient(app.database, id)
    assert.deepEqual([client?.clientType, client?.revision.requirePkce], ['native', true])
  }
})

test('a page without a server may be registered; its callbacks are https or localhost', async () => {
  const callbackUrls = ['https://acme.example/app/', 'http://localhost:5173/']
  const page = await submit(dan, { name: 'Acme Page', clientType: 'single_page', callbackUrls })
  assert.deepEqual([page.clientType, page.callbackUrls], ['single_page', callbackUrls])
  const wrong = { name: 'Acme Other', clientType: 'single_page', callbackUrls: ['http://acme.example/', 'a.b:/c'] }
  const refusedPage = dan.send('POST', '/api/oauth2/apps', { ...page, ...wrong })
  assert.deepEqual(await violationsOfRefused(refusedPage), ['/callbackUrls/0 not_https', '/callbackUrls/1 not_http'])
})

test('an app on a server cannot register the callbacks of a native app', async () => {
  const server = await submit(dan, { name: 'Server' })
  const changes = { ...pocket({ name: 'Other' }), clientType: 'confidential' }
  assert.deepEqual(await violationsOfRefused(dan.send('POST', '/api/oauth2/apps', { ...server, ...changes })), [
    '/callbackUrls/0 not_http',
    '/callbackUrls/1 ip_host',
  ])
})

test('a saved app may change its type, a submitted one never again', async () => {
  const { _id, ...saved } = await submit(dan, { name: 'Undecided', draft: true })
  const edit = (changes: object) => dan.send('PUT', appPath({ _id }), { ...saved, ...changes })
  const secretsPath = appPath({ _id }, '/secrets')
  await done(dan.send('POST', secretsPath, { name: 'early', sandbox: true }), 201)
  const native = await done(edit({ clientType: 'native', draft: true }))
  assert.deepEqual(await done(dan.send('GET', secretsPath)), { secrets: [] })
  assert.deepEqual([native.clientType, native.requirePkce], ['native', true])
  const single = await done(edit({ clientType: 'single_page', draft: true }))
  assert.equal(single.clientType, 'single_page')

  await done(dan.send('POST', appPath({ _id }, '/submit')))
  for (const clientType of ['native', 'confidential']) {
    assert.deepEqual(await violationsOfRefused(edit({ clientType })), ['/clientType fixed'])
  }
  // Withdrawn, it is a draft again, but its sandbox was open.
  const { clientType: _, ...without } = saved
  assert.equal((await done(dan.send('PUT', appPath({ _id }), { ...without, draft: true }))).clientType, 'single_page')
  assert.deepEqual(await violationsOfRefused(edit({ clientType: 'native' })), ['/clientType fixed'])
})

test('reviewers read where a new app runs', async () => {
  const waiting = await submit(dan, pocket({ name: 'Waiting Pocket' }))
  const { app: read, differences } = await done(rita.send('GET', reviewPath(waiting)))
  assert.equal(read.clientType, 'native')
  assert.deepEqual(
    differences.find(({ field }: { field: string }) => field === 'clientType'),
    { field: 'clientType', before: [], after: ['native'] },
  )
})
