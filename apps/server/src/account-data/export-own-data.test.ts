import assert from 'node:assert/strict'
import { test } from 'node:test'
import ICAL from 'ical.js'
import { password, schedule, signUp, standUp, weekdays } from '../../test/people.ts'
import { startApp } from '../../test/start-app.ts'

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
    'sessions',
    'passkeys',
    'personalTokens',
    'signInProviders',
    'connectedApps',
    'ownApps',
    'hostedMeetings',
    'invitations',
    'addedMeetings',
    'attendance',
    'mails',
    'securityLog',
  ])
  assert.equal(document.profile.email, alice.email)
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
  assert.ok(document.securityLog.some(({ action }: { action: string }) => action === 'account.exported'))
  assert.ok(!text.includes('carol@example.org'), 'whom Bob invited is not Alice’s to know')
  assert.ok(!/password_?hash|token_?hash|sealed|secret_?hash/i.test(text))
})

test('exports the same meetings as a calendar that a parser reads', async () => {
  const { headers, text } = await fetchExport(alice, 'ics')
  assert.match(headers.get('content-type') ?? '', /^text\/calendar/)
  const events = new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent')
  assert.deepEqual(events.map((event) => event.getFirstPropertyValue('summary')).toSorted(), ['Of Bob', 'Weekdays'])
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
