import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EventReply } from '@parley/contract'
import { countTypes, lastEvent, readEvents, requestEvents } from '../../test/event-reader.ts'
import { approvedApp } from '../../test/oauth/approved-app.ts'
import {
  appPath,
  calendarApp,
  decide,
  misleading,
  permit,
  approvedApp as reviewedApp,
  submit,
} from '../../test/oauth/apps.ts'
import { codeFor, tokensFor } from '../../test/oauth/token-client.ts'
import { type Person, password, standUp } from '../../test/people.ts'
import { expectOk, expectProblem } from '../../test/replies.ts'
import { publicAddress } from '../../test/start-app.ts'
import { useApp } from '../../test/use-app.ts'

const { app, clock, olga, meet, addressOf } = await useApp({ emails: 'dropped', start: '2030-01-01T08:00:00Z' })

const weekly = (changes: object = {}) =>
  standUp({
    repeatOptions: {
      repeat: 'weekly',
      interval: 1,
      daysOfWeek: [0, 1, 0, 0, 0, 0, 0],
      endDate: '2030-03-04T23:59:59Z',
      timeZone: 'GMT',
    },
    ...changes,
  })

async function create(host: Person, meeting: object = standUp()) {
  const { meetingDetails } = await expectOk(host.send('POST', '/api/meeting?sendUpdates=none', meeting))
  return meetingDetails
}

const pathOf = ({ _id }: { _id: string }) => `/api/meeting/meetingDetails/${_id}`
const eventsOf = async (host: Person, { _id }: { _id: string }) =>
  (await readEvents(app, host, `meetingId=${_id}`)).events
const typesOf = (events: readonly EventReply[]) => events.map(({ type }) => type)

test('meeting.created: a new meeting is the first event of its sequence, without PIN or host key', async () => {
  const [alice] = await meet('Alice')
  const meeting = await create(alice)
  const [event, ...others] = await eventsOf(alice, meeting)
  assert.deepEqual(others, [])
  assert.deepEqual(
    { ...event, id: '' },
    {
      id: '',
      type: 'meeting.created',
      timestamp: '2030-01-01T08:00:00.000Z',
      sequence: 1,
      subject: meeting._id,
      actingGrantId: null,
      data: {
        userId: alice.profile._id,
        meetingId: meeting._id,
        svcMeetId: meeting.svcMeetId,
        __v: 0,
        topic: 'Stand-up',
        joinUrl: `${publicAddress}/j/${meeting.svcMeetId}`,
      },
    },
  )
  assert.equal(JSON.stringify(event).includes(meeting.pin), false)
})

test('meeting.updated: names the fields that have another value; a request that changes none causes no event', async () => {
  const [alice, bob] = await meet('Alice', 'Bob')
  const meeting = await create(alice)
  const send = (body: object) => alice.send('PUT', `${pathOf(meeting)}?sendUpdates=none`, body)
  await expectOk(send(standUp()))
  assert.deepEqual(typesOf(await eventsOf(alice, meeting)), ['meeting.created'])
  const changed = standUp({
    topic: 'Retrospective',
    endTime: '2030-01-07T10:30:00Z',
    participants: [addressOf('Carol')],
    reminderMinutes: 30,
    advancedOptions: { waitingRoom: true },
  })
  await expectOk(send(changed))
  const event = await lastEvent(app, alice, 'meeting.updated')
  assert.deepEqual(
    [event.data.changed, event.data.topic, event.data.__v, event.sequence],
    [['topic', 'endTime', 'participants', 'advancedOptions', 'reminderMinutes'], 'Retrospective', 2, 2],
  )
  await expectOk(send({ ...changed, cohosts: [bob.email] }))
  assert.deepEqual((await lastEvent(app, alice, 'meeting.updated')).data.changed, ['cohosts'])
})

test('a change that a cohost makes belongs to the host', async () => {
  const [alice, bob] = await meet('Alice', 'Bob')
  const meeting = await create(alice, standUp({ cohosts: [bob.email] }))
  const before = await countTypes(app, bob)
  const update = standUp({ cohosts: [bob.email], topic: 'By Bob' })
  await expectOk(bob.send('PUT', `${pathOf(meeting)}?sendUpdates=none`, update))
  assert.equal((await lastEvent(app, alice, 'meeting.updated')).data.topic, 'By Bob')
  assert.deepEqual(await countTypes(app, bob), before)
})

test('a split series is updated, and the meeting that continues it is created', async () => {
  const [alice] = await meet('Alice')
  const series = await create(alice, weekly())
  const occurrence = '2030-01-21T09:00:00.000Z'
  const rest = await expectOk(alice.send('POST', `${pathOf(series)}/split?sendUpdates=none`, { occurrence }))
  const [, shortened] = await eventsOf(alice, series)
  assert.deepEqual([shortened?.type, shortened?.data.changed], ['meeting.updated', ['repeatOptions']])
  const [created] = await eventsOf(alice, rest)
  assert.deepEqual([created?.type, created?.data.continues, created?.sequence], ['meeting.created', series._id, 1])
})

test('a series is updated when this and all following dates are cancelled', async () => {
  const [alice] = await meet('Alice')
  const series = await create(alice, weekly())
  const body = { cancel: 'following', occurrence: '2030-01-21T09:00:00.000Z' }
  await expectOk(alice.send('POST', `/api/meeting/cancel/${series._id}?sendUpdates=none`, body))
  assert.deepEqual((await lastEvent(app, alice, 'meeting.updated')).data.changed, ['repeatOptions'])
})

test('meeting.cancelled: once, however often it is asked for', async () => {
  const [alice] = await meet('Alice')
  const meeting = await create(alice)
  for (let times = 0; times < 2; times++) {
    await alice.send('POST', `/api/meeting/cancel/${meeting._id}?sendUpdates=none`, { cancel: 'all' })
  }
  const events = await eventsOf(alice, meeting)
  assert.deepEqual(typesOf(events), ['meeting.created', 'meeting.cancelled'])
  assert.deepEqual(
    events.map(({ data }) => data.__v),
    [0, 1],
  )
})

test('meeting.occurrence.*: one date is changed, changed back, cancelled and restored; idle requests cause no event', async () => {
  const [alice] = await meet('Alice')
  const series = await create(alice, weekly())
  const originalStartTime = '2030-01-14T09:00:00.000Z'
  const path = `${pathOf(series)}/occurrences/${originalStartTime}`
  const twice = async (method: string, address: string, body?: object) => {
    for (let times = 0; times < 2; times++) {
      const answer = await alice.send(method, `${address}?sendUpdates=none`, body)
      assert.ok(answer.status === 200 || answer.body.code === 'invalid_request', JSON.stringify(answer.body))
    }
  }
  await twice('PUT', path, { topic: 'Planning', startTime: '2030-01-14T10:00:00Z' })
  await twice('DELETE', path)
  await twice('POST', `/api/meeting/cancel/${series._id}`, { cancel: 'current', occurrence: originalStartTime })
  await twice('POST', `${path}/restore`)
  const [, ...events] = await eventsOf(alice, series)
  assert.deepEqual(
    events.map(({ type, data }) => [type, data.originalStartTime, data.changed]),
    [
      ['meeting.occurrence.updated', originalStartTime, ['startTime', 'endTime', 'topic']],
      ['meeting.occurrence.updated', originalStartTime, ['startTime', 'endTime', 'topic']],
      ['meeting.occurrence.cancelled', originalStartTime, undefined],
      ['meeting.occurrence.restored', originalStartTime, undefined],
    ],
  )
})

test('an update of a single event of a series changes one occurrence', async () => {
  const [alice] = await meet('Alice')
  const series = await create(alice, weekly())
  const body = weekly({ topic: 'Only this', editOptions: { singleEvent: true } })
  await expectOk(alice.send('PUT', `${pathOf(series)}?sendUpdates=none`, body))
  const event = await lastEvent(app, alice, 'meeting.occurrence.updated')
  assert.deepEqual([event.data.originalStartTime, event.data.changed], ['2030-01-07T09:00:00.000Z', ['topic']])
})

test('a repeated request with one Idempotency-Key causes one event, and a refused one none', async () => {
  const [alice] = await meet('Alice')
  const before = await countTypes(app, alice, 'type=meeting.created&limit=200')
  for (let times = 0; times < 2; times++) {
    await alice.send('POST', '/api/meeting?sendUpdates=none', standUp(), { 'idempotency-key': 'once' })
  }
  await alice.send('POST', '/api/meeting?sendUpdates=none', standUp({ endTime: '2029-01-01T00:00:00Z' }))
  const after = await countTypes(app, alice, 'type=meeting.created&limit=200')
  assert.equal(after['meeting.created'], (before['meeting.created'] ?? 0) + 1)
})

test('a change that is refused after its event was recorded leaves none', async () => {
  const [alice] = await meet('Alice')
  const meeting = await create(alice)
  const many = Array.from({ length: 201 }, (_, number) => `guest${number}@elsewhere.example`)
  // On an account's first day 200 emails are allowed; the limit is checked after the meeting was changed.
  const update = alice.send('PUT', pathOf(meeting), standUp({ participants: many }))
  await expectProblem(update, 'too_many_invitations')
  assert.deepEqual(typesOf(await eventsOf(alice, meeting)), ['meeting.created'])
})

test('the deletion of an account cancels its meetings, or a cohost accepts to host them', async () => {
  const [dora, erin, cohost] = await meet('Dora', 'Erin', 'Frank')
  for (const [meetings, host] of [
    ['cancel', dora],
    ['hand_over', erin],
  ] as const) {
    const confirmed = { emailVerifiedAt: clock.now() }
    await app.database.updateTable('account').set(confirmed).where('email', '=', cohost.email).execute()
    const scheduled = await expectOk(host.send('POST', '/api/meeting', standUp({ cohosts: [cohost.email] })))
    const meeting: { _id: string } = scheduled.meetingDetails
    // Guests who were invited get a cancellation before the account is erased.
    await app.mails()
    await readEvents(app, host)
    await expectOk(host.send('POST', '/api/my_profile/delete', { currentPassword: password, meetings }))
    await app.mails()
    if (meetings === 'hand_over') {
      await expectOk(cohost.send('POST', `/api/meeting/hand-overs/${meeting._id}`, { answer: 'accepted' }))
      const { events } = await readEvents(app, cohost)
      assert.deepEqual(
        events.map(({ type, subject, sequence, data }) => [type, subject, sequence, data.changed]),
        [['meeting.updated', meeting._id, 2, ['userId']]],
      )
    } else {
      // Webhooks deliver it; the account cannot sign in to read it, and its events are erased with it.
      const rows = await app.database.selectFrom('event').select('type').where('subject', '=', meeting._id).execute()
      assert.deepEqual(
        rows.map(({ type }) => type),
        ['meeting.created', 'meeting.cancelled'],
      )
    }
  }
})

const grantsOf = async (token: string) =>
  (await readEvents(app, { token })).events.filter(({ type }) => type.startsWith('grant.'))

test('grant.created, .changed and .revoked: a person sees their own, an app those of its users and its own only', async () => {
  const [dan, alice, bob] = await meet('Dan', 'Alice', 'Bob')
  const planner = await approvedApp(app, dan, { name: 'Planner' })
  const other = await approvedApp(app, dan, { name: 'Other' })
  const first = await tokensFor(app, planner, alice, { scopes: ['user:read'], clock })
  const { data, subject } = await lastEvent(app, alice, 'grant.created')
  assert.deepEqual(
    [data.userId, data.appId, data.grantId, data.scopes, data.sandbox],
    [alice.profile._id, planner.appId, subject, ['user:read'], false],
  )
  await tokensFor(app, planner, alice, { scopes: ['user:read'], clock })
  await tokensFor(app, planner, alice, { scopes: ['meeting:read'], clock })
  assert.deepEqual((await lastEvent(app, alice, 'grant.changed')).data.scopes, ['user:read', 'meeting:read'])

  const ofOther = await tokensFor(app, other, alice, { scopes: ['user:read', 'meeting:read'], clock })
  const ofSandbox = await tokensFor(app, planner, alice, { scopes: ['user:read'], sandbox: true, clock })
  const ofBob = await tokensFor(app, planner, bob, { scopes: ['user:read'], clock })
  const types = async (token: string) => (await grantsOf(token)).map(({ type }) => type)
  assert.deepEqual(await types(first.access_token), ['grant.created', 'grant.changed'])
  for (const { access_token } of [ofOther, ofSandbox, ofBob]) {
    assert.deepEqual(await types(access_token), ['grant.created'])
  }
  assert.equal((await grantsOf(alice.token)).length, 4)

  await expectOk(alice.send('DELETE', `/api/oauth2/grants/${subject}`))
  const revoked = await lastEvent(app, alice, 'grant.revoked')
  assert.deepEqual([revoked.subject, revoked.data.scopes], [subject, []])
  await expectProblem(requestEvents(app, { token: first.access_token }), 'unauthorized')
  // The app may read it once its user has connected it again.
  const again = await tokensFor(app, planner, alice, { scopes: ['user:read'], clock })
  assert.deepEqual(await types(again.access_token), [
    'grant.created',
    'grant.changed',
    'grant.revoked',
    'grant.created',
  ])
})

test('app.rejected, .on_hold, .approved and .suspended: the owner reads the decisions, and others do not', async () => {
  const [rita, dan, eve] = await meet('Rita', 'Dan', 'Eve')
  await permit(olga, rita, { reviewer: true, oauthEnabled: true })
  await permit(olga, dan, { oauthEnabled: true })
  await permit(olga, eve, { oauthEnabled: true })
  const planner = await submit(dan, { name: 'Decided' })
  for (const [decision, reasons] of [
    ['on_hold', misleading],
    ['rejected', misleading],
  ] as const) {
    await expectOk(decide(rita, planner, decision, reasons))
    const { data, subject, sequence } = await lastEvent(app, dan, `app.${decision}`)
    assert.deepEqual(
      [data, subject, sequence],
      [{ userId: dan.profile._id, appId: planner._id, name: 'Decided' }, planner._id, null],
    )
    await expectOk(dan.send('POST', appPath(planner, '/submit')), 200)
  }
  await expectOk(decide(rita, planner, 'approved'))
  await lastEvent(app, dan, 'app.approved')
  await expectOk(olga.send('POST', appPath(planner, '/suspend'), {}))
  await lastEvent(app, dan, 'app.suspended')
  await expectOk(olga.send('POST', appPath(planner, '/resume'), {}))
  await lastEvent(app, dan, 'app.approved')
  for (const other of [olga, rita, eve]) assert.deepEqual(await countTypes(app, other), {})
})

test('secret.expiring: once for each secret, two weeks before it expires, without the secret', async () => {
  const [dan] = await meet('Dan')
  await permit(olga, dan, { oauthEnabled: true })
  const planner = await submit(dan, { name: 'Short-lived' })
  const days = (count: number) => new Date(clock.now().getTime() + count * 24 * 60 * 60 * 1000).toISOString()
  const make = (name: string, expiresOn?: string) =>
    expectOk(
      dan.send('POST', appPath(planner, '/secrets'), { name, sandbox: true, ...(expiresOn && { expiresOn }) }),
      201,
    )
  const { _id: secretId, secret } = await make('Soon', days(15))
  const { _id: retired } = await make('Retired', days(15))
  await expectOk(dan.send('DELETE', appPath(planner, `/secrets/${retired}`)))
  await make('For ever')
  const { nextCursor } = await readEvents(app, dan)
  const report = async () => {
    await app.taskList['report-expiring-secrets']?.({}, { job: { id: 1 } })
    return (await readEvents(app, dan, `after=${nextCursor}`)).events
  }
  clock.advance(24 * 60 * 60 * 1000 - 1)
  assert.deepEqual(await report(), [])
  clock.advance(1)
  await report()
  const [event, ...others] = await report()
  assert.deepEqual(others, [])
  assert.equal(event?.type, 'secret.expiring')
  assert.deepEqual(event?.data, {
    userId: dan.profile._id,
    appId: planner._id,
    name: 'Short-lived',
    secretId,
    secretName: 'Soon',
    sandbox: true,
    expiresOn: days(14),
  })
  assert.equal(JSON.stringify(event).includes(secret), false)
})

test('grant.changed and .revoked: the app gives up a scope, and is deleted', async () => {
  const [rita, dan, carol] = await meet('Rita', 'Dan', 'Carol')
  await permit(olga, rita, { reviewer: true, oauthEnabled: true })
  await permit(olga, dan, { oauthEnabled: true })
  const planner = await reviewedApp(dan, rita, { name: 'Given up' })
  const granted = { appId: planner._id, clientId: '', clientSecret: '', sandboxClientId: '', sandboxClientSecret: '' }
  await codeFor(app, granted, carol, { scopes: ['user:read', 'meeting:read'], clock })
  await expectOk(dan.send('PUT', appPath(planner), calendarApp({ name: 'Given up', scopes: ['user:read'] })))
  assert.deepEqual((await lastEvent(app, carol, 'grant.changed')).data.scopes, ['user:read'])
  await expectOk(dan.send('DELETE', appPath(planner)))
  const { data } = await lastEvent(app, carol, 'grant.revoked')
  assert.deepEqual([data.appId, data.userId, data.scopes], [planner._id, carol.profile._id, []])
})

test('the deletion of an account suspends its apps, and revokes its grants', async () => {
  const [rita, eve] = await meet('Rita', 'Eve')
  await permit(olga, rita, { reviewer: true, oauthEnabled: true })
  await permit(olga, eve, { oauthEnabled: true })
  const planner = await reviewedApp(eve, rita, { name: 'Of Eve' })
  const granted = { appId: planner._id, clientId: '', clientSecret: '', sandboxClientId: '', sandboxClientSecret: '' }
  await codeFor(app, granted, eve, { scopes: ['user:read'], clock })
  await expectOk(eve.send('POST', '/api/my_profile/delete', { currentPassword: password, meetings: 'cancel' }))
  // The account cannot sign in to read them; until it is erased, they can be delivered.
  const rows = await app.database
    .selectFrom('event')
    .select('type')
    .where('accountId', '=', eve.profile._id)
    .orderBy('number')
    .execute()
  assert.deepEqual(rows.map(({ type }) => type).slice(-2), ['grant.revoked', 'app.suspended'])
})
