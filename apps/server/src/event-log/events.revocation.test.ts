import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openLog } from '../../test/event-reader.ts'
import { openStream } from '../../test/event-stream.ts'
import { approvedApp } from '../../test/oauth/approved-app.ts'
import { appPath, permit } from '../../test/oauth/apps.ts'
import { backendOf, codeFor, tokensFor } from '../../test/oauth/token-client.ts'
import { meetPeople, type Person, password, sendRequest, signInAgain, signUp, standUp } from '../../test/people.ts'
import { expectOk, expectProblem } from '../../test/replies.ts'
import { startApp } from '../../test/start-app.ts'

/** Longer than any test: a stream that ends has been notified, or knew when its token expires. */
const never = 10 * 60_000

const app = await startApp({ emails: 'dropped', checkEveryMs: never })
/** The streams are open at another instance than the one at which access ends. */
const other = await startApp({ beside: app, checkEveryMs: never })
const { olga, alice, bob } = await meetPeople(app)
await permit(olga, bob, { oauthEnabled: true })
let made = 0

async function newPerson(name: string): Promise<Person> {
  made += 1
  return signUp(app, name, `${name.toLowerCase()}${made}@example.org`)
}

async function create(host: Person, topic: string) {
  await expectOk(host.send('POST', '/api/meeting?sendUpdates=none', standUp({ topic })))
  await app.publishEvents()
}

/** A new developer with an approved app, which a new user has connected. */
async function connected() {
  const [dan, erin] = [await newPerson('Dan'), await newPerson('Erin')]
  const planner = await approvedApp(app, dan, { name: `Planner of ${dan.email}` })
  const tokens = await tokensFor(app, planner, erin)
  await app.publishEvents()
  return { dan, erin, planner, tokens, backend: backendOf(app, planner) }
}

type Connection = Awaited<ReturnType<typeof connected>>

async function revoke({ erin }: Connection) {
  const [{ _id }] = (await expectOk(erin.send('GET', '/api/oauth2/grants'))).grants
  await expectOk(erin.send('DELETE', `/api/oauth2/grants/${_id}`))
}

const appOf = ({ planner }: Connection) => ({ _id: planner.appId })

const endings: Record<string, (connection: Connection) => Promise<unknown>> = {
  'the user revokes the grant': revoke,
  'the app revokes its access token': ({ backend, tokens }) => expectOk(backend.revoke(tokens.access_token)),
  'the app revokes its refresh token': ({ backend, tokens }) => expectOk(backend.revoke(tokens.refresh_token)),
  'an administrator suspends the app': (connection) =>
    expectOk(olga.send('POST', appPath(appOf(connection), '/suspend'), {})),
  'its developer deletes the app': (connection) => expectOk(connection.dan.send('DELETE', appPath(appOf(connection)))),
  'the developer may no longer have apps': ({ dan }) => permit(olga, dan, { oauthEnabled: false }),
  'the developer’s account is disabled': ({ dan }) => permit(olga, dan, { disabled: true }),
  'the developer deletes their account': ({ dan }) =>
    expectOk(dan.send('POST', '/api/my_profile/delete', { meetings: 'cancel', currentPassword: password })),
  'the user’s account is disabled': ({ erin }) => permit(olga, erin, { disabled: true }),
  'the user changes the password and signs out everywhere': ({ erin }) =>
    expectOk(
      erin.send('POST', '/api/auth/password', {
        currentPassword: password,
        newPassword: 'another long password',
        signOutEverywhere: true,
      }),
    ),
  'the user deletes their account': ({ erin }) =>
    expectOk(erin.send('POST', '/api/my_profile/delete', { meetings: 'cancel', currentPassword: password })),
}

for (const [what, end] of Object.entries(endings)) {
  test(`ends the stream of an app at once when ${what}`, async () => {
    const connection = await connected()
    const log = await openLog(other, { token: connection.tokens.access_token })
    await log.next()
    await end(connection)
    await log.ended()
    await expectProblem(
      sendRequest(other, 'GET', '/api/events?follow=true', undefined, {
        authorization: `Bearer ${connection.tokens.access_token}`,
      }),
      'unauthorized',
    )
  })
}

test('ends the stream of a token at once when its code is used twice, and not that of another consent', async () => {
  const { backend, planner, erin, tokens } = await connected()
  const code = await codeFor(app, planner, erin)
  const { access_token: token } = await expectOk(backend.exchange(code))
  const [stolen, earlier] = [await openLog(other, { token }), await openLog(other, { token: tokens.access_token })]
  await Promise.all([stolen.next(), earlier.next()])
  assert.equal((await backend.exchange(code)).status, 400)
  await stolen.ended()
  await create(erin, 'Seen by the other')
  assert.equal((await earlier.until((message) => message.event !== undefined)).event?.data.topic, 'Seen by the other')
  earlier.close()
})

test('ends the stream of a sandbox token at once when its user is no longer a tester', async () => {
  const connection = await connected()
  const { dan, erin, planner } = connection
  const invite = (...testers: string[]) =>
    expectOk(dan.send('PUT', appPath(appOf(connection), '/testers'), { testers }))
  await invite(erin.email)
  await expectOk(erin.send('POST', `/api/oauth2/tester-invitations/${planner.appId}`, { answer: 'accepted' }))
  const tokens = await tokensFor(app, planner, erin, { sandbox: true })
  const log = await openLog(other, { token: tokens.access_token })
  await log.next()
  await invite()
  await log.ended()
})

test('ends a stream of types that the app has given up', async () => {
  const connection = await connected()
  const { dan, erin, tokens } = connection
  const [ofMeetings, ofAll] = [
    await openLog(other, { token: tokens.access_token }, 'type=meeting.created'),
    await openLog(other, { token: tokens.access_token }),
  ]
  await Promise.all([ofMeetings.next(), ofAll.next()])
  const registered = await expectOk(dan.send('GET', appPath(appOf(connection))))
  await expectOk(dan.send('PUT', appPath(appOf(connection)), { ...registered, scopes: ['user:read'] }))
  await ofMeetings.ended()
  await create(erin, 'No longer theirs')
  // The token lives on for what it may still read.
  const { event } = await ofAll.until((message) => message.event !== undefined)
  assert.equal(event?.type, 'grant.changed')
  ofAll.close()
})

test('an event after the revocation is not sent, even if its notification is lost', async () => {
  const connection = await connected()
  const log = await openLog(other, { token: connection.tokens.access_token })
  await log.next()
  await create(connection.erin, 'Seen')
  const seen = await log.until((message) => message.event !== undefined)
  assert.equal(seen.event?.data.topic, 'Seen')
  // Without a notification: the read of the next event finds it.
  await app.database
    .updateTable('appGrant')
    .set({ revokedAt: new Date(), revokedBecause: 'test' })
    .where('appId', '=', connection.planner.appId)
    .execute()
  await create(connection.erin, 'Unseen')
  await log.ended()
  await assert.rejects(
    log.until((message) => message.event?.data.topic === 'Unseen'),
    /The stream ended/,
  )
})

test('ends the streams of a person with their session, their personal token and their account', async () => {
  const nora = await newPerson('Nora')
  const session = await signInAgain(app, nora.email)
  const inSession = await openLog(other, { token: session })
  const inCookie = await openStream(other, '/api/events?follow=true', { cookie: `parley_session=${session}` })
  await inSession.next()
  await expectOk(sendRequest(app, 'POST', '/api/auth/sign-out', undefined, { authorization: session }))
  await Promise.all([inSession.ended(), inCookie.ended()])

  const { token, _id } = await expectOk(
    nora.send('POST', '/api/auth/tokens', { name: 'Script', scopes: ['meeting:read'] }),
    201,
  )
  const withToken = await openLog(other, { token })
  await withToken.next()
  const kept = await openLog(other, nora)
  await kept.next()
  await expectOk(nora.send('DELETE', `/api/auth/tokens/${_id}`))
  await withToken.ended()
  await create(nora, 'Still there')
  assert.equal((await kept.until((message) => message.event !== undefined)).event?.data.topic, 'Still there')
  await permit(olga, nora, { disabled: true })
  await kept.ended()
})

test('ends when its token expires, to the second', async () => {
  const { erin, tokens, planner } = await connected()
  const { token: personal, _id } = await expectOk(
    erin.send('POST', '/api/auth/tokens', { name: 'Script', scopes: ['meeting:read'] }),
    201,
  )
  const session = await signInAgain(app, erin.email)
  // Long enough to open three streams on a busy machine.
  const expiresAt = new Date(Date.now() + 3_000)
  await app.database.updateTable('personalToken').set({ expiresAt }).where('id', '=', _id).execute()
  await app.pool.query(
    `update access_token t set expires_at = $1 from token_family f join app_grant g on g.id = f.grant_id
     where f.id = t.family_id and g.app_id = $2`,
    [expiresAt, planner.appId],
  )
  await app.pool.query(
    'update session set expires_at = $1 where id = (select max(id::text)::uuid from session where account_id = $2)',
    [expiresAt, erin.profile._id],
  )
  const logs = await Promise.all([tokens.access_token, personal, session].map((token) => openLog(other, { token })))
  const kept = await openLog(other, erin)
  for (const log of logs) await log.ended()
  assert.ok(new Date() >= expiresAt)
  await create(erin, 'Afterwards')
  assert.equal((await kept.until((message) => message.event !== undefined)).event?.data.topic, 'Afterwards')
  kept.close()
})

test('a stranger’s revocation ends no stream but their own', async () => {
  const log = await openLog(other, alice)
  await log.next()
  await revoke(await connected())
  await create(alice, 'Undisturbed')
  assert.equal((await log.until((message) => message.event !== undefined)).event?.data.topic, 'Undisturbed')
  log.close()
})
