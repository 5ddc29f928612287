import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ProblemCode } from '@parley/contract'
import { approvedApp } from '../../../test/oauth/approved-app.ts'
import { permit } from '../../../test/oauth/apps.ts'
import { tokensFor } from '../../../test/oauth/token-client.ts'
import { type Answer, sendRequest } from '../../../test/people.ts'
import { expectOk, expectProblem } from '../../../test/replies.ts'
import {
  admissionPath,
  as,
  decide,
  enter,
  enterAsGuest,
  type Headers,
  roomPath,
  updateRoom,
  watchAdmission,
  watchRoom,
} from '../../../test/rooms/rooms.ts'
import { useRooms } from '../../../test/rooms/use-rooms.ts'

const { alice, app, bob, carol, clock, hostKeyOf, mallory, media, meet, move, olga, other, remove, waitingRoom } =
  await useRooms()

/** Expect each reply in turn: a problem of this code, or a success of this status. */
async function expectEach(requests: readonly (() => Promise<Answer>)[], expected: readonly (ProblemCode | number)[]) {
  assert.equal(requests.length, expected.length)
  for (const [index, send] of requests.entries()) {
    const outcome = expected[index]
    if (typeof outcome === 'string') await expectProblem(send(), outcome)
    else await expectOk(send(), outcome)
  }
}

test('host, cohost and holders of the host key decide on admissions, each in their own meeting only', async () => {
  const room = await waitingRoom({ cohosts: [carol.email] })
  const hostKey = await hostKeyOf(room)
  const hugo = await enterAsGuest(app, room, 'Hugo')
  const gwen = await enterAsGuest(app, room, 'Gwen', { pin: undefined, hostKey })
  assert.deepEqual([gwen.reply.state, gwen.reply.role], ['admitted', 'host'])
  const elsewhere = await waitingRoom({ participants: [] })
  const theirs = await enterAsGuest(app, elsewhere, 'Theo')
  const requests = (headers: Headers) => [
    () => sendRequest(app, 'GET', roomPath(elsewhere, 'waiting'), undefined, headers),
    () => sendRequest(app, 'POST', roomPath(elsewhere, 'admit-all'), undefined, headers),
    () => decide(app, elsewhere, theirs.admissionId, 'admit', headers),
    () => decide(app, room, theirs.admissionId, 'admit', headers),
    () => decide(app, room, hugo.admissionId, 'admit', headers),
  ]
  const unknown: ProblemCode[] = Array(3).fill('meeting_not_found')
  for (const stranger of [as(mallory), {}, as(olga)]) {
    await expectEach(requests(stranger), [...unknown, 'meeting_not_found', 'meeting_not_found'])
  }
  for (const participant of [as(bob), hugo.headers]) {
    await expectEach(requests(participant), [...unknown, 'host_required', 'host_required'])
  }
  for (const host of [gwen.headers, as(carol)]) {
    await expectEach(requests(host), [...unknown, 'admission_not_found', 204])
  }
  await expectOk(decide(app, room, hugo.admissionId, 'admit', as(alice)), 204)
  const crossing = { ...gwen.headers, origin: 'https://evil.example' }
  await expectProblem(decide(app, room, hugo.admissionId, 'deny', crossing), 'cross_origin')
  const { origin, ...withoutOrigin } = gwen.headers
  await expectProblem(decide(app, room, hugo.admissionId, 'deny', withoutOrigin), 'cross_origin')
  const entering = await sendRequest(app, 'POST', roomPath(room, 'enter'), { pin: room.pin }, crossing)
  await expectProblem(entering, 'cross_origin')
})

test('keeps the host role of a person who entered by the host key while that admission holds', async () => {
  const room = await waitingRoom()
  const gwen = await enterAsGuest(app, room, 'Gwen', { hostKey: await hostKeyOf(room) })
  const again = await enter(app, room, gwen.headers)
  assert.deepEqual([again.state, again.role], ['admitted', 'host'], 'without the key, on the same day')
  const list = await watchRoom(app, room, gwen.headers)
  await list.next()
  await remove(gwen.admissionId)
  await list.ended()
  await expectProblem(sendRequest(app, 'GET', roomPath(room, 'waiting'), undefined, gwen.headers), 'host_required')
  const removed = await enter(app, room, gwen.headers, { hostKey: await hostKeyOf(room) })
  assert.deepEqual([removed.state, removed.media], ['denied', undefined])

  const greg = await enterAsGuest(app, room, 'Greg', { hostKey: await hostKeyOf(room) })
  clock.advance(24 * 60 * 60 * 1000)
  const nextDay = await enter(app, room, greg.headers)
  assert.deepEqual([nextDay.state, nextDay.role], ['waiting', 'participant'])
})

test('an arriving host admits the people who wait for the host, and not those in the waiting room', async () => {
  const [open, closed] = [
    await meet({ joinBeforeHost: false }),
    await meet({ joinBeforeHost: false, waitingRoom: true }),
  ]
  const pages = await Promise.all(
    [open, closed].map(async (room) => {
      const { state, admissionId } = await enter(app, room, as(bob))
      assert.equal(state, 'waiting_for_host')
      return watchAdmission(app, room, admissionId, as(bob))
    }),
  )
  const list = await watchRoom(other, closed, as(alice))
  assert.deepEqual((await list.next()).waiting, [], 'nobody waits for anybody’s decision yet')
  for (const room of [open, closed]) {
    const { admissionId } = await enter(app, room, as(alice))
    await move(admissionId, clock.now())
  }
  const [openPage, closedPage] = pages
  await openPage?.until(({ state }) => state === 'admitted')
  await closedPage?.until(({ state }) => state === 'waiting')
  const { waiting, participants } = await list.until((seen) => seen.waiting.length === 1)
  assert.deepEqual([waiting[0]?.name, participants[0]?.name, participants[0]?.role], ['Bob Test', 'Alice Test', 'host'])

  // She leaves again; people who have not entered by now wait for her, as before.
  const host = await enter(app, closed, as(alice))
  await move(host.admissionId, clock.now(), clock.now())
  await closedPage?.until(({ state }) => state === 'waiting_for_host')
  await list.until((seen) => seen.waiting.length === 0)
  for (const stream of [...pages, list]) stream.close()
})

test('an app with meeting:join waits and is admitted as its user; other tokens receive no events', async () => {
  await permit(olga, carol, { oauthEnabled: true })
  const planner = await approvedApp(app, carol, { scopes: ['meeting:join', 'meeting:read'] })
  const room = await waitingRoom()
  const tokenWith = async (scope: 'meeting:join' | 'meeting:read') => {
    const { access_token } = await tokensFor(app, planner, bob, { scopes: [scope], clock })
    return { authorization: `Bearer ${access_token}` }
  }
  const [joining, reading] = [await tokenWith('meeting:join'), await tokenWith('meeting:read')]
  const { state, admissionId } = await enter(app, room, joining)
  assert.equal(state, 'waiting')
  const refused = await sendRequest(app, 'GET', `${admissionPath(room, admissionId)}/events`, undefined, reading)
  await expectProblem(refused, 'insufficient_scope')
  const page = await watchAdmission(app, room, admissionId, joining)
  await page.next()
  await decide(app, room, admissionId, 'admit', as(alice))
  await page.until((status) => status.state === 'admitted')
  page.close()
  assert.equal((await enter(app, room, joining)).media?.token, `for ${admissionId}`)
})

test('an app with meeting:join only controls no one, even for the host, and cannot read who waits', async () => {
  await permit(olga, carol, { oauthEnabled: true })
  const planner = await approvedApp(app, carol, { name: 'Sidecar', scopes: ['meeting:join', 'meeting:update'] })
  const room = await waitingRoom({ participants: [] })
  const waiting = await enterAsGuest(app, room, 'Waldo')
  const inside = await enter(app, room, as(alice))
  await move(inside.admissionId, clock.now())
  const acts = (headers: Headers): (() => ReturnType<typeof sendRequest>)[] => [
    () => updateRoom(app, room, { locked: true }, headers),
    () => updateRoom(app, room, { locked: false }, headers),
    () => sendRequest(app, 'POST', roomPath(room, 'mute-all'), undefined, headers),
    () => decide(app, room, waiting.admissionId, 'admit', headers),
    () => sendRequest(app, 'POST', roomPath(room, 'admit-all'), undefined, headers),
    () =>
      sendRequest(app, 'POST', roomPath(room, `participants/${waiting.admissionId}`), { action: 'remove' }, headers),
    () => decide(app, room, waiting.admissionId, 'deny', headers),
    () => sendRequest(app, 'POST', roomPath(room, 'end'), undefined, headers),
  ]
  const watch = (headers: Headers) => sendRequest(app, 'GET', roomPath(room, 'waiting'), undefined, headers)
  const appOf = async (scopes: ('meeting:join' | 'meeting:update')[]) => {
    const { access_token } = await tokensFor(app, planner, alice, { scopes, clock })
    return { authorization: `Bearer ${access_token}` }
  }
  const personal = async (scopes: string[]) => {
    const { body } = await alice.send('POST', '/api/auth/tokens', { name: scopes.join(' '), scopes })
    return { authorization: `Bearer ${body.token}` }
  }
  const refused: ProblemCode[] = Array(8).fill('insufficient_scope')
  for (const headers of [await appOf(['meeting:join']), await personal(['meeting:join'])]) {
    assert.equal((await enter(app, room, headers)).role, 'host', 'it joins as its user')
    await expectEach(acts(headers), refused)
    const seen = await watch(headers)
    await expectProblem(seen, 'insufficient_scope')
    assert.match(seen.headers.get('www-authenticate') ?? '', /scope="meeting:join meeting:update"/)
    assert.equal(seen.body.detail, 'This token does not carry the scope meeting:update.')
  }
  // It may change meetings, not join them.
  await expectEach(acts(await personal(['meeting:update'])), refused)
  const untouched = await enter(app, room, waiting.headers)
  assert.deepEqual([untouched.state, untouched.admissionId], ['waiting', waiting.admissionId])

  const hosting = await appOf(['meeting:join', 'meeting:update'])
  const list = await watchRoom(app, room, hosting)
  assert.deepEqual(
    (await list.next()).waiting.map(({ name }) => name),
    ['Waldo'],
  )
  list.close()
  await expectEach(acts(hosting), [200, 200, 204, 204, 204, 204, 204, 204])
})

test('never logs PIN, host key, cookie or media token', async () => {
  const room = await waitingRoom()
  const hostKey = await hostKeyOf(room)
  const gwen = await enterAsGuest(app, room, 'Gwen', { hostKey })
  const secrets = [room.pin, hostKey, gwen.headers.cookie.split('=')[1] ?? '', String(gwen.reply.media?.token)]
  const all = [...app.logged, ...other.logged].join('')
  assert.match(all, /\/api\/rooms\/:svcMeetId\/enter/)
  for (const secret of secrets) assert.ok(secret.length > 5 && !all.includes(secret), 'a secret was logged')
  assert.equal(media.granted.length, 1)
})
