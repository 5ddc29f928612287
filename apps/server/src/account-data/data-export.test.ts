import assert from 'node:assert/strict'
import { test } from 'node:test'
import ICAL from 'ical.js'
import { approvedApp } from '../../test/oauth/approved-app.ts'
import { tokensFor } from '../../test/oauth/token-client.ts'
import { detailsPath, password, schedule, signUp, standUp, weekdays } from '../../test/people.ts'
import { expectOk } from '../../test/replies.ts'
import { startApp } from '../../test/start-app.ts'
import { createWebhook, withToken } from '../../test/webhooks/manage-webhooks.ts'

const app = await startApp({ emails: 'dropped' })
const alice = await signUp(app, 'Alice')
const bob = await signUp(app, 'Bob')
const fetchExport = async ({ token }: { token: string }, format: string) => {
  const response = await fetch(`${app.base}/api/my_profile/export?format=${format}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

test('exports the person’s stored data, without credentials', async () => {
  await schedule(alice, weekdays({ topic: 'Weekdays' }))
  await schedule(bob, standUp({ topic: 'Of Bob', participants: [alice.email, 'carol@example.org'] }))
  await alice.send('POST', '/api/auth/tokens', { name: 'script', scopes: ['user:read'], currentPassword: password })
  await app.publishEvents()
  const webhook = { url: 'https://planner.example/parley', description: 'My script', types: ['meeting.created'] }
  const { secret } = (await alice.send('POST', '/api/webhooks', webhook)).body
  const seenAt = new Date()
  const own = app.database.updateTable('account').where('id', '=', alice.profile._id)
  await own.set({ lastSeenAt: seenAt }).execute()
  const { status, headers, text } = await fetchExport(alice, 'json')
  assert.equal(status, 200, text)
  assert.match(headers.get('content-disposition') ?? '', /^attachment; filename="parley-\d{4}-\d\d-\d\d\.json"$/)
  const document = JSON.parse(text)
  assert.deepEqual(Object.keys(document), [
    'format',
    'version',
    'service',
    'exportedOn',
    'profile',
    'photo',
    'sessions',
    'passkeys',
    'personalTokens',
    'signInProviders',
    'connectedApps',
    'ownApps',
    'webhooks',
    'hostedMeetings',
    'invitations',
    'addedMeetings',
    'meetingColours',
    'handOvers',
    'contacts',
    'meetingTemplates',
    'blockedSenders',
    'attendance',
    'mails',
    'events',
    'notifications',
    'pushSubscriptions',
    'securityLog',
  ])
  assert.equal(document.profile.email, alice.email)
  assert.equal(document.profile.lastSeenOn, seenAt.toISOString())
  assert.deepEqual(
    document.hostedMeetings.map(({ topic, people }: { topic: string; people: { email: string }[] }) => [
      topic,
      people.map(({ email }) => email),
    ]),
    [['Weekdays', ['bob@example.org']]],
  )
  const [invitation] = document.invitations
  assert.deepEqual([invitation.topic, invitation.host], ['Of Bob', 'Bob Test'])
  assert.deepEqual(document.personalTokens[0].name, 'script')
  const exported = document.events.map(({ type, data }: { type: string; data: { topic?: string } }) => [
    type,
    data.topic,
  ])
  assert.deepEqual(exported[0], ['meeting.created', 'Weekdays'])
  const [{ url, description, types, owner }] = document.webhooks
  assert.deepEqual({ url, description, types, owner }, { ...webhook, owner: 'person' })
  assert.ok(!text.includes(secret.slice('whsec_'.length)))
  assert.ok(document.securityLog.some(({ action }: { action: string }) => action === 'account.exported'))
  assert.ok(!text.includes('carol@example.org'), 'whom Bob invited is not Alice’s to know')
  assert.ok(!/password_?hash|token_?hash|secret_?hash|encrypted/i.test(text))
})

test('exports whom the person has blocked, and the offers of meetings, and neither to the other side', async () => {
  const gil = await signUp(app, 'Gil')
  const ivo = await signUp(app, 'Ivo')
  const hana = await signUp(app, 'Hana')
  const meeting = await schedule(gil, standUp({ topic: 'Handed over', participants: [], cohosts: [hana.email] }))
  const invitation = await schedule(ivo, standUp({ participants: [hana.email] }))
  await expectOk(hana.send('POST', '/api/blocked-senders', { meetingId: invitation._id }))
  const deletion = { currentPassword: password, meetings: 'hand_over' }
  await expectOk(gil.send('POST', '/api/my_profile/delete', deletion))
  // A job makes the offer.
  await app.mails()
  const { handOvers, blockedSenders } = JSON.parse((await fetchExport(hana, 'json')).text)
  assert.deepEqual(
    handOvers.map(({ meetingId, topic, declinedOn }: Record<string, unknown>) => [meetingId, topic, declinedOn]),
    [[meeting._id, 'Handed over', null]],
  )
  assert.deepEqual(
    blockedSenders.map(({ userId, sender }: Record<string, unknown>) => [userId, sender]),
    [[ivo.profile._id, 'Ivo Test']],
  )
  const ofBlocked = JSON.parse((await fetchExport(ivo, 'json')).text)
  assert.deepEqual([ofBlocked.handOvers, ofBlocked.blockedSenders], [[], []])
})

test('of a webhook of an app that Gina has connected, the export has the host alone', async () => {
  const gina = await signUp(app, 'Gina')
  const planner = await approvedApp(app, bob, { name: 'Planner' })
  const { access_token } = await tokensFor(app, planner, gina)
  const url = 'https://planner.example:8443/secret-path?key=of-the-app'
  await createWebhook(withToken(app, access_token), { url })
  const { text } = await fetchExport(gina, 'json')
  const [webhook] = JSON.parse(text).webhooks
  assert.deepEqual([webhook.owner, webhook.url], ['grant', 'https://planner.example:8443'])
  assert.ok(!text.includes('secret-path'))
})

test('exports all events, page by page', async () => {
  const frank = await signUp(app, 'Frank')
  await app.pool.query(
    `insert into event (type, occurred_at, account_id, subject, data)
      select 'app.approved', now(), $1, $1, jsonb_build_object('name', n) from generate_series(1, 1001) as n`,
    [frank.profile._id],
  )
  await app.publishEvents()
  const { text } = await fetchExport(frank, 'json')
  const approved = JSON.parse(text).events.filter(({ type }: { type: string }) => type === 'app.approved')
  assert.deepEqual(
    approved.map(({ data }: { data: { name: number } }) => data.name),
    Array.from({ length: 1_001 }, (_, index) => index + 1),
  )
})

test('exports hosted meetings and invitations as a calendar that a parser reads', async () => {
  const [kim, lea] = [await signUp(app, 'Kim'), await signUp(app, 'Lea')]
  await schedule(kim, weekdays({ topic: 'Weekdays' }))
  await schedule(lea, standUp({ topic: 'Of Lea', participants: [kim.email] }))
  const { headers, text } = await fetchExport(kim, 'ics')
  assert.match(headers.get('content-type') ?? '', /^text\/calendar/)
  const events = new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent')
  assert.deepEqual(events.map((event) => event.getFirstPropertyValue('summary')).toSorted(), ['Of Lea', 'Weekdays'])
})

test('exports answers to single dates: the person’s own, and those of the guests of hosted meetings', async () => {
  const [carol, dan, erin] = [await signUp(app, 'Carol'), await signUp(app, 'Dan'), await signUp(app, 'Erin')]
  const meeting = await schedule(carol, weekdays({ topic: 'Of Carol', participants: [dan.email, erin.email] }))
  await carol.send('PUT', `${detailsPath(meeting)}/occurrences/2030-01-11T09:00:00Z`, { topic: 'Retrospective' })
  const respond = async (person: typeof alice, response: string, occurrence?: string) => {
    await expectOk(person.send('POST', `${detailsPath(meeting)}/response`, { response, occurrence }))
  }
  await respond(dan, 'accepted')
  await respond(dan, 'declined', '2030-01-09T09:00:00Z')
  await respond(dan, 'tentative', '2030-01-08T09:00:00Z')
  await respond(erin, 'declined', '2030-01-10T09:00:00Z')
  // Calendar programs send comments.
  const { _id: meetingId } = meeting
  await app.database
    .updateTable('occurrenceResponse')
    .set({ comment: 'At the dentist' })
    .where('meetingId', '=', meetingId)
    .where('response', '=', 'declined')
    .where('emailKey', '=', dan.email)
    .execute()
  await app.database
    .updateTable('participant')
    .set({ responseComment: 'With pleasure' })
    .where('meetingId', '=', meetingId)
    .where('emailKey', '=', dan.email)
    .execute()
  const answerOf = (date: string, response: string, comment: string | null = null) => ({
    originalStartTime: new Date(date).toISOString(),
    response,
    comment,
  })
  const ofDan = [
    answerOf('2030-01-08T09:00:00Z', 'tentative'),
    answerOf('2030-01-09T09:00:00Z', 'declined', 'At the dentist'),
  ]
  const exportOf = async (person: typeof alice) => JSON.parse((await fetchExport(person, 'json')).text)
  const [hosted] = (await exportOf(carol)).hostedMeetings
  const [changed] = hosted.changedOccurrences
  assert.deepEqual([changed.topic, changed.originalStartTime], ['Retrospective', '2030-01-11T09:00:00.000Z'])
  const guest = { displayName: '', invited: true, cohost: false }
  const ofErin = [answerOf('2030-01-10T09:00:00Z', 'declined')]
  assert.deepEqual(hosted.people, [
    { ...guest, email: dan.email, response: 'accepted', comment: 'With pleasure', occurrenceResponses: ofDan },
    { ...guest, email: erin.email, response: null, comment: null, occurrenceResponses: ofErin },
  ])
  const document = await exportOf(dan)
  const invitation = document.invitations.find(({ topic }: { topic: string }) => topic === 'Of Carol')
  assert.deepEqual([invitation.response, invitation.responseComment], ['accepted', 'With pleasure'])
  assert.deepEqual(invitation.occurrenceResponses, ofDan, 'and none of Erin’s')
})

test('exports the lists of a meeting completely and in order, which are read page by page', async () => {
  const henry = await signUp(app, 'Henry')
  const participants = Array.from({ length: 25 }, (_, place) => `guest-${25 - place}@example.net`)
  const meeting = await schedule(henry, weekdays({ topic: 'Large', participants }))
  const starts = Array.from({ length: 120 }, (_, place) => new Date(Date.UTC(2030, 0, 7 + place, 9)).toISOString())
  const changed = starts.slice(0, 60)
  const skipped = starts.slice(60)
  for (const [table, column, values] of [
    ['changed_occurrence (meeting_id, original_start, topic, changed_by, changed_at)', `'Own'`, changed],
    ['skipped_occurrence (meeting_id, starts_at, skipped_by, skipped_at)', undefined, skipped],
  ] as const) {
    const own = column === undefined ? '' : `${column}, `
    await app.pool.query(
      `insert into ${table} select m.id, start, ${own}m.host_id, now() from meeting m, unnest($2::timestamptz[]) start
       where m.id = $1`,
      [meeting._id, values],
    )
  }
  const { text } = await fetchExport(henry, 'json')
  const [exported] = JSON.parse(text).hostedMeetings
  assert.deepEqual(
    exported.people.map(({ email }: { email: string }) => email),
    participants,
  )
  assert.deepEqual(exported.skippedOccurrences, skipped)
  assert.deepEqual(
    exported.changedOccurrences.map((one: { originalStartTime: string; topic: string }) => [
      one.originalStartTime,
      one.topic,
    ]),
    changed.map((start) => [start, 'Own']),
  )
})

test('allows sessions only, ten times an hour', async () => {
  const { body } = await bob.send('POST', '/api/auth/tokens', {
    name: 'all',
    scopes: ['user:read', 'meeting:read'],
    currentPassword: password,
  })
  const byToken = await fetchExport({ token: body.token }, 'json')
  assert.equal(JSON.parse(byToken.text).code, 'session_required')
  for (let count = 0; count < 10; count++) assert.equal((await fetchExport(bob, 'ics')).status, 200)
  assert.equal((await fetchExport(bob, 'ics')).status, 429)
})

test('exports the colours that the person has chosen, and not those of others', async () => {
  const [esra, falk] = [await signUp(app, 'Esra'), await signUp(app, 'Falk')]
  const meeting = await schedule(esra, standUp({ participants: [falk.email] }))
  await expectOk(esra.send('PUT', `${detailsPath(meeting)}/colour`, { colour: 'green' }))
  await expectOk(falk.send('PUT', `${detailsPath(meeting)}/colour`, { colour: 'pink' }))
  const { meetingColours } = JSON.parse((await fetchExport(falk, 'json')).text)
  assert.deepEqual(meetingColours, [{ meetingId: meeting._id, colour: 'pink' }])
})
