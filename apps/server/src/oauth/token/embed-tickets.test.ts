import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Scope } from '@parley/contract'
import { type AppOptions, approvedApp } from '../../../test/oauth/approved-app.ts'
import { appPath } from '../../../test/oauth/apps.ts'
import { backendOf, type Consent, causesOf, tokensFor } from '../../../test/oauth/token-client.ts'
import { password, schedule, sendRequest } from '../../../test/people.ts'
import { expectOk, expectProblem } from '../../../test/replies.ts'
import { enter, roomPath, watchAdmission } from '../../../test/rooms/rooms.ts'
import { useApp } from '../../../test/use-app.ts'

const { app: service, clock, meet, olga } = await useApp({ start: '2030-01-07T09:00:00Z', emails: 'dropped' })

const origin = 'https://planner.example'
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

/** Alice hosts a meeting, and uses Dana's app, whose pages may embed meetings. */
async function scene(options: AppOptions & Consent = {}) {
  const [alice, dana] = await meet('Alice', 'Dana')
  const scopes: Scope[] = options.scopes ?? ['meeting:join', 'meeting:read', 'user:read']
  const planner = await approvedApp(service, dana, { embedOrigins: [origin], ...options, scopes })
  const room = await schedule(alice)
  const tokens = await tokensFor(service, planner, alice, { clock, ...options, scopes })
  const authorization = bearer(tokens.access_token)
  const askTicket = (headers: Record<string, string> = authorization) =>
    sendRequest(service, 'POST', roomPath(room, 'embed-tickets'), undefined, headers)
  const redeem = (ticket: string, changes: object = {}, at = room) => {
    const body = { ticket, clientId: planner.clientId, origin, ...changes }
    return sendRequest(service, 'POST', roomPath(at, 'embed-sessions'), body)
  }
  const newTicket = async (): Promise<string> => (await expectOk(askTicket(), 201)).ticket
  const openFrame = async (): Promise<string> => (await expectOk(redeem(await newTicket()), 201)).token
  return { alice, dana, planner, room, tokens, askTicket, newTicket, redeem, openFrame }
}

const profileWith = (token: string) => sendRequest(service, 'GET', '/api/my_profile', undefined, bearer(token))

test('a ticket brings the user of the app into the room under their own name, and through the same checks', async () => {
  const { alice, planner, room, askTicket, redeem } = await scene()
  const ticket = await expectOk(askTicket(), 201)
  assert.deepEqual([ticket.clientId, ticket.expiresOn], [planner.clientId, '2030-01-07T09:01:00.000Z'])
  const session = await expectOk(redeem(ticket.ticket), 201)
  assert.deepEqual([session.name, session.expiresOn], ['Alice Test', '2030-01-07T21:00:00.000Z'])
  const entering = await enter(service, { ...room, pin: '' }, bearer(session.token))
  assert.deepEqual([entering.state, entering.role, entering.pin], ['admitted', 'host', room.pin])
  const [bob] = await meet('Bob')
  const ofBob = await schedule(bob)
  const tokens = await tokensFor(service, planner, alice, { clock, scopes: ['meeting:join'] })
  const path = roomPath(ofBob, 'embed-tickets')
  const { ticket: other } = (await sendRequest(service, 'POST', path, undefined, bearer(tokens.access_token))).body
  const { token } = await expectOk(redeem(other, {}, ofBob), 201)
  assert.equal((await enter(service, { ...ofBob, pin: '' }, bearer(token))).state, 'pin_required')
})

test('the token of a frame opens its room, and nothing else', async () => {
  const { alice, room, openFrame } = await scene({ scopes: ['meeting:join', 'meeting:read', 'user:read'] })
  const token = await openFrame()
  await expectProblem(profileWith(token), 'unauthorized')
  const other = await schedule(alice)
  const path = `/api/meeting/meetingDetails/${room._id}`
  await expectProblem(sendRequest(service, 'GET', path, undefined, bearer(token)), 'unauthorized')
  await expectProblem(sendRequest(service, 'POST', roomPath(other, 'enter'), {}, bearer(token)), 'unauthorized')
  await expectProblem(
    sendRequest(service, 'POST', roomPath(room, 'embed-tickets'), undefined, bearer(token)),
    'unauthorized',
  )
  // Without meeting:update it acts on its own user.
  await expectProblem(
    sendRequest(service, 'POST', roomPath(room, 'end'), undefined, bearer(token)),
    'insufficient_scope',
  )
})

test('a ticket is used once, within a minute, in the frame of its meeting, its app and a reviewed page', async () => {
  const { alice, planner, newTicket, redeem } = await scene()
  const first = await newTicket()
  await expectOk(redeem(first), 201)
  await expectProblem(redeem(first), 'embed_ticket_refused')
  const refusals: readonly [object, RegExp][] = [
    [{ clientId: planner.sandboxClientId }, /clientId/],
    [{ clientId: 'app_unknown' }, /clientId/],
    [{ origin: 'https://evil.example' }, /origin of the page/],
    [{ origin: 'null' }, /origin of the page/],
  ]
  for (const [changes] of refusals) {
    const ticket = await newTicket()
    await expectProblem(redeem(ticket, changes), 'embed_ticket_refused')
    // A refused ticket is spent as well.
    await expectProblem(redeem(ticket), 'embed_ticket_refused')
  }
  await expectProblem(redeem(await newTicket(), {}, await schedule(alice)), 'embed_ticket_refused')
  const late = await newTicket()
  clock.advance(60_000)
  await expectProblem(redeem(late), 'embed_ticket_refused')
  await service.writeRefusals()
  const causes = (await causesOf(service, planner)).join('\n')
  for (const cause of [...refusals.map(([, each]) => each), /another meeting/, /60 seconds/])
    assert.match(causes, cause)
  await expectProblem(redeem('emt_short'), 'embed_ticket_refused')
})

test('of two frames that send one ticket at the same time, one enters', async () => {
  const { newTicket, redeem } = await scene()
  const ticket = await newTicket()
  const statuses = await Promise.all(Array.from({ length: 6 }, async () => (await redeem(ticket)).status))
  assert.deepEqual(statuses.toSorted(), [201, 403, 403, 403, 403, 403])
})

test('only an app gets a ticket, for a user who lets it join', async () => {
  const { alice, askTicket } = await scene({ scopes: ['meeting:read'] })
  await expectProblem(askTicket(), 'insufficient_scope')
  await expectProblem(askTicket(bearer(alice.token)), 'app_token_required')
  await expectProblem(askTicket({}), 'unauthorized')
  const script = { name: 'Script', scopes: ['meeting:join'], password }
  const { token } = await expectOk(alice.send('POST', '/api/auth/tokens', script), 201)
  await expectProblem(askTicket(bearer(token)), 'app_token_required')
})

test('suspending the app refuses its tickets, ends its frames, and tells their streams at once', async () => {
  const { planner, room, newTicket, redeem, openFrame } = await scene()
  const token = await openFrame()
  const ticket = await newTicket()
  const { admissionId } = await enter(service, { ...room, pin: '' }, bearer(token))
  const stream = await watchAdmission(service, room, admissionId, bearer(token))
  await stream.next()
  await expectOk(olga.send('POST', appPath({ _id: planner.appId }, '/suspend'), {}))
  await stream.ended()
  await expectProblem(redeem(ticket), 'embed_ticket_refused')
  await expectProblem(sendRequest(service, 'POST', roomPath(room, 'enter'), {}, bearer(token)), 'unauthorized')
  await service.writeRefusals()
  assert.match((await causesOf(service, planner)).join('\n'), /tokens of the user have ended/)
})

test('the token of a frame ends with the tokens that it stems from, and after twelve hours', async () => {
  const { planner, tokens, room, openFrame } = await scene()
  const statusWith = async (token: string) =>
    (await sendRequest(service, 'POST', roomPath(room, 'enter'), {}, bearer(token))).status
  const token = await openFrame()
  clock.advance(12 * 3_600_000 - 1)
  assert.equal(await statusWith(token), 200)
  clock.advance(1)
  assert.equal(await statusWith(token), 401)
  const second = await openFrame()
  await expectOk(backendOf(service, planner).revoke(tokens.refresh_token))
  assert.equal(await statusWith(second), 401)
})

test('the sandbox embeds on the developer’s own machine alone', async () => {
  const local = 'http://localhost:3000'
  const { planner, newTicket, redeem } = await scene({ sandbox: true, embedOrigins: [origin, local] })
  const clientId = planner.sandboxClientId
  await expectProblem(redeem(await newTicket(), { clientId }), 'embed_ticket_refused')
  await expectOk(redeem(await newTicket(), { clientId, origin: local }), 201)
})

test('a sign-in has at most thirty tickets that wait', async () => {
  const { askTicket } = await scene()
  for (let count = 0; count < 30; count++) await expectOk(askTicket(), 201)
  const refused = await askTicket()
  await expectProblem(refused, 'too_many_requests')
  assert.equal(refused.headers.get('retry-after'), '60')
  clock.advance(60_000)
  await expectOk(askTicket(), 201)
})
