import assert from 'node:assert/strict'
import { test } from 'node:test'
import { appPath, calendarApp, reviewPath } from '../../apps/server/test/oauth/apps.ts'
import { arrive, authorizeUrl, consent } from '../../apps/server/test/oauth/consenting-person.ts'
import { createPlainBrowser, readingOf } from '../../apps/server/test/oauth/plain-browser.ts'
import { basic, introspectPath, postForm, tokenPath } from '../../apps/server/test/oauth/token-client.ts'
import { detailsPath, type Person, schedule, sendRequest, signUp, standUp } from '../../apps/server/test/people.ts'
import { expectOk, expectProblem } from '../../apps/server/test/replies.ts'
import { startApp } from '../../apps/server/test/start-app.ts'

const service = await startApp({ emails: 'dropped' })
const callback = 'https://acme.example/callback'
const scopes = ['user:read', 'meeting:read', 'meeting:create']

type Credentials = { id: string; secret: string }

/** Requests of an app's backend, with live or sandbox credentials. */
const backendWith = ({ id, secret }: Credentials) => {
  const post = (path: string, form: Record<string, string>) =>
    postForm(service, path, form, { authorization: basic(id, secret) })
  return {
    exchange: (code: string) => post(tokenPath, { grant_type: 'authorization_code', code, redirect_uri: callback }),
    refresh: (token: string) => post(tokenPath, { grant_type: 'refresh_token', refresh_token: token }),
    introspect: (token: string) => post(introspectPath, { token }),
  }
}

const callsWith = (token: string) => (method: string, path: string, body?: unknown) =>
  sendRequest(service, method, path, body, { authorization: `Bearer ${token}` })

/** The authorization link of the app, and the code of the redirect. */
const linkOf = (clientId: string) =>
  authorizeUrl(service, { client_id: clientId, response_type: 'code', redirect_uri: callback, state: 'x y/z' })

async function codeOf(person: Person, clientId: string): Promise<string> {
  const back = await consent(service, person, linkOf(clientId))
  assert.equal(`${back.origin}${back.pathname}`, callback)
  assert.equal(back.searchParams.get('state'), 'x y/z')
  assert.equal(back.searchParams.get('iss'), service.config.baseUrl)
  return back.searchParams.get('code') ?? ''
}

const actionsAbout = async (...people: Person[]) => {
  const ids = people.map(({ profile }) => profile._id)
  const rows = await service.database
    .selectFrom('auditEntry')
    .innerJoin('account', 'account.id', 'auditEntry.actorId')
    .select(['account.name', 'auditEntry.action'])
    .where('auditEntry.actorId', 'in', ids)
    .where('auditEntry.action', 'not in', ['account.created', 'session.begun'])
    .orderBy('auditEntry.id')
    .execute()
  return rows.map(({ name, action }) => `${name}: ${action}`)
}

test('a third-party app obtains consent, schedules and reads for its user, and loses access at once when disconnected', async () => {
  const olga = await signUp(service, 'Olga')
  const [dan, rita, tess, carol] = [
    await signUp(service, 'Dan'),
    await signUp(service, 'Rita'),
    await signUp(service, 'Tess'),
    await signUp(service, 'Carol'),
  ]
  const setRights = (person: Person, rights: object) =>
    expectOk(olga.send('PUT', `/api/admin/accounts/${person.profile._id}`, rights))
  await setRights(rita, { reviewer: true })

  // Dan requests OAuth; until Olga enables it, the portal refuses him.
  await expectProblem(dan.send('POST', '/api/oauth2/apps', calendarApp()), 'oauth_not_enabled')
  await expectOk(dan.send('POST', '/api/oauth2/access', { reason: 'We plan weeks.' }), 202)
  const { accounts } = await expectOk(olga.send('GET', `/api/admin/accounts?q=${encodeURIComponent(dan.email)}`))
  assert.match(JSON.stringify(accounts), /We plan weeks\./)
  await setRights(dan, { oauthEnabled: true })

  // He registers his app. Before its review it has only a sandbox client id.
  const registered = await expectOk(
    dan.send('POST', '/api/oauth2/apps', calendarApp({ scopes, callbackUrls: [callback] })),
    201,
  )
  assert.deepEqual([registered.status, registered.clientId], ['under_review', undefined])
  await expectProblem(dan.send('POST', appPath(registered, '/secrets'), { name: 'Server' }), 'app_not_approved')

  // He tests the sandbox with Tess, whom he has invited; Carol is refused.
  const sandboxSecret = await expectOk(
    dan.send('POST', appPath(registered, '/secrets'), { name: 'Try', sandbox: true }),
    201,
  )
  await expectOk(dan.send('PUT', appPath(registered, '/testers'), { testers: [tess.email] }))
  const stranger = await arrive(createPlainBrowser(service), carol, linkOf(registered.sandboxClientId))
  assert.equal(stranger.status, 403)
  // Its place in the event log is that of the moment when it is written.
  await service.writeRefusals()
  const sandbox = backendWith({ id: registered.sandboxClientId, secret: sandboxSecret.secret })
  const tried = await expectOk(sandbox.exchange(await codeOf(tess, registered.sandboxClientId)))
  const asTess = callsWith(tried.access_token)
  assert.equal((await asTess('GET', '/api/user/profile')).body.email, tess.email)
  await expectOk(asTess('POST', '/api/meeting', standUp({ topic: 'Tried out' })))

  // Rita approves it, which Dan himself cannot. From now on it has a client id and can have a secret.
  await expectProblem(dan.send('POST', reviewPath(registered), { decision: 'approved' }), 'reviewer_required')
  const { reviews } = await expectOk(rita.send('GET', '/api/oauth2/reviews'))
  assert.deepEqual(
    reviews.map(({ appId }: { appId: string }) => appId),
    [registered._id],
  )
  await expectOk(rita.send('POST', reviewPath(registered), { decision: 'approved' }))
  const { clientId } = await expectOk(dan.send('GET', appPath(registered)))
  const { secret } = await expectOk(dan.send('POST', appPath(registered, '/secrets'), { name: 'Server' }), 201)
  const backend = backendWith({ id: clientId, secret })

  // Carol follows the app's link, signs in, reads the requested scopes, and allows access.
  const page = readingOf(await arrive(createPlainBrowser(service), carol, linkOf(clientId)))
  for (const words of ['Acme Calendar', 'Dan Test', 'Create meetings on your behalf', 'Allow', 'Deny']) {
    assert.ok(page.includes(words), `${words}: ${page}`)
  }
  const first = await expectOk(backend.exchange(await codeOf(carol, clientId)))
  assert.equal(first.scope, scopes.join(' '))

  // The app schedules for her and reads the meeting; it is shown which of her meetings it has created.
  const asCarol = callsWith(first.access_token)
  await schedule(carol, standUp({ topic: 'By hand' }))
  const { meetingDetails } = await expectOk(asCarol('POST', '/api/meeting', standUp({ topic: 'By the app' })))
  assert.equal(meetingDetails.createdBy, carol.profile._id)
  const [read] = await expectOk(asCarol('GET', detailsPath(meetingDetails)))
  assert.equal(read.topic, 'By the app')
  const countOf = async (query: string) => (await expectOk(asCarol('GET', `/api/meeting/me${query}`))).totalCount
  assert.deepEqual([await countOf('?tpClientOnly=true'), await countOf('')], [1, 2])
  await expectProblem(asCarol('GET', '/api/oauth2/apps'), 'app_token_refused')

  // The app refreshes its tokens and continues.
  const second = await expectOk(backend.refresh(first.refresh_token))
  await expectOk(callsWith(second.access_token)('GET', detailsPath(meetingDetails)))

  // Carol sees the app among her connected ones and disconnects it: the next call is refused.
  const { grants } = await expectOk(carol.send('GET', '/api/oauth2/grants'))
  assert.deepEqual(
    grants.map(({ app, scopes }: { app: { name: string }; scopes: string[] }) => [app.name, scopes]),
    [['Acme Calendar', ['user:read', 'meeting:create', 'meeting:read']]],
  )
  await expectOk(carol.send('DELETE', `/api/oauth2/grants/${grants[0]._id}`))
  for (const token of [first.access_token, second.access_token]) {
    await expectProblem(callsWith(token)('GET', detailsPath(meetingDetails)), 'unauthorized')
  }
  const { status, body } = await backend.refresh(second.refresh_token)
  assert.deepEqual([status, body.error], [400, 'invalid_grant'])
  assert.deepEqual((await backend.introspect(second.access_token)).body, { active: false })
  assert.deepEqual((await expectOk(carol.send('GET', '/api/oauth2/grants'))).grants, [])
  // The scheduled meeting is hers and remains; Tess's consent for the sandbox is not affected.
  await expectOk(carol.send('GET', detailsPath(meetingDetails)))
  await expectOk(asTess('GET', '/api/user/profile'))

  // Administrators can read who did what; the developer reads what happened to the app, and why.
  assert.deepEqual(await actionsAbout(olga, dan, rita, tess, carol), [
    'Olga: account.updated',
    'Dan: oauth.requested',
    'Olga: account.updated',
    'Dan: app.created',
    'Dan: app.submitted',
    'Dan: app-secret.created',
    'Dan: app.testers-replaced',
    'Tess: app-test.accepted',
    'Tess: app.consented',
    'Rita: app.approved',
    'Dan: app-secret.created',
    'Carol: app.consented',
    'Carol: grant.revoked',
  ])
  const { events } = await expectOk(dan.send('GET', appPath(registered, '/events')))
  const all: { kind: string; cause: string; sandbox: boolean }[] = events.toReversed()
  // Refused API calls are written a moment later, so they may not be in the log yet.
  const logged = all.filter(({ kind }) => kind !== 'api_refused')
  assert.deepEqual(
    logged.map(({ kind, sandbox: inSandbox }) => `${inSandbox ? 'sandbox' : 'real'} ${kind}`),
    [
      'real app_submitted',
      'sandbox secret_created',
      'sandbox authorization_refused',
      'sandbox tester_accepted',
      'sandbox consent_given',
      'real app_approved',
      'real secret_created',
      'real consent_given',
      'real grant_revoked',
      'real token_refused',
    ],
  )
  assert.equal(logged.at(-1)?.cause, 'The grant has ended: the user disconnected the app.')
})
