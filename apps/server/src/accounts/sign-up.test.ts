import assert from 'node:assert/strict'
import { test } from 'node:test'
import { usualMeetingDefaults } from '@parley/contract'
import { password, sendRequest, signUp } from '../../test/people.ts'
import { expectOk, expectProblem } from '../../test/replies.ts'
import { createClock, startApp } from '../../test/start-app.ts'

const path = '/api/auth/sign-up'
const alice = { email: 'Alice@Example.org', password, name: 'Alice', lname: 'Liddell' }

const app = await startApp()
const olga = await signUp(app, 'Olga')

test('answers with a session of 30 days, the profile, and the cookie for the pages', async () => {
  const clock = createClock('2030-01-01T00:00:00Z')
  const fresh = await startApp({ clock })
  const reply = await sendRequest(fresh, 'POST', path, { ...alice, timeZone: 'IST' })
  const body = await expectOk(reply, 201)
  assert.match(body.token, /^sst_[0-9A-Za-z]{49}$/)
  assert.equal(body.expiresAt, '2030-01-31T00:00:00.000Z')
  assert.equal(
    reply.headers.get('set-cookie'),
    `parley_session=${body.token}; Max-Age=2592000; Path=/; HttpOnly; SameSite=Lax`,
  )
  const { _id, tenantId, svcMeetId, roomPIN, jcData, ...profile } = body.user
  const uuidV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
  for (const id of [_id, tenantId, jcData.jcId, jcData.bpUserId]) assert.match(id, uuidV7)
  assert.match(svcMeetId, /^9\d{9}$/)
  assert.match(roomPIN, /^[23456789abcdefghjkmnpqrstuvwxyz]{6}$/)
  assert.match(jcData.jcKey, /^[\w-]{43}$/)
  assert.deepEqual(profile, {
    name: 'Alice',
    lname: 'Liddell',
    email: 'Alice@Example.org',
    phoneNo: '',
    roleIds: ['administrator', 'reviewer'],
    hasPasswordChangedAfterLogin: false,
    isOTT: false,
    recordingEnabled: false,
    canCreateWebinar: false,
    isCustomWebinarEnabled: false,
    isDataProtection: false,
    isfileAttachmentEnabledForTenant: false,
    imageMeta: { baseurl: '', filePath: '', mOn: '2030-01-01T00:00:00.000Z', path: '' },
    schoolData: { tnc_purpose: false, tnc_service: false, tnc_privacy: false, tnc_authorized: false },
    department: '',
    location: '',
    source: '',
    meetingPushNotificationEnabled: true,
    microphoneOff: false,
    videoOff: false,
    videoPreview: true,
    participantName: true,
    autoCopyLink: false,
    showConnectedTime: true,
    safeDrivingMode: false,
    answerDigest: false,
    suggestedToColleagues: false,
    notifyOfInvitations: true,
    notifyOfChanges: true,
    notifyOfAnswers: true,
    notifyOfWaiting: true,
    notifyOfStarts: true,
    notifyOfReviews: true,
    avatar: 0,
    extension: '',
    timeZone: 'IST',
    language: '',
    hourCycle: '',
    firstDayOfWeek: '',
    meetingDefaults: usualMeetingDefaults,
    emailVerified: true,
    oauthEnabled: true,
  })
})

test('emails in the language that the browser prefers', async () => {
  const languageOf = async (name: string, header: Record<string, string>) => {
    const { body } = await sendRequest(app, 'POST', path, { ...alice, name, email: `${name}@example.org` }, header)
    return body.user.language
  }
  assert.equal(await languageOf('greta', { 'accept-language': 'tlh, de-AT;q=0.9, en;q=0.8' }), 'de')
  assert.equal(await languageOf('pierre', { 'accept-language': 'tlh' }), '')
})

test('gives the second account none of the first one’s rights', async () => {
  const { profile } = await signUp(app, 'Bob')
  assert.deepEqual(profile.roleIds, [])
  assert.equal(profile.oauthEnabled, false)
  assert.equal(profile.tenantId, olga.profile.tenantId)
})

test('makes exactly one administrator of many who sign up at once on an empty database', async () => {
  for (const environment of [{}, { SIGN_UP: 'closed' }]) {
    const fresh = await startApp({ environment })
    const answers = await Promise.all(
      ['a', 'b', 'c', 'd', 'e'].map((name) =>
        sendRequest(fresh, 'POST', path, { ...alice, email: `${name}@example.org` }),
      ),
    )
    const administrators = answers.filter(({ body }) => body.user?.roleIds.includes('administrator'))
    assert.equal(administrators.length, 1)
    const refused = answers.filter(({ status }) => status === 403)
    assert.equal(refused.length, 'SIGN_UP' in environment ? 4 : 0)
    assert.equal(new Set(answers.flatMap(({ body }) => body.user?.tenantId ?? [])).size, 1)
  }
})

test('an address has one account, in any spelling and any order of requests', async () => {
  const spellings = ['carol@example.org', 'CAROL@example.org', 'Carol@Example.ORG', 'carol@EXAMPLE.org']
  const answers = await Promise.all(spellings.map((email) => sendRequest(app, 'POST', path, { ...alice, email })))
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 409, 409, 409])
  const refused = answers.find(({ status }) => status === 409)
  await expectProblem(refused, 'email_taken')
})

test('reports all violations at once', async () => {
  await expectProblem(sendRequest(app, 'POST', path, {}), 'invalid_request', [
    '/email required',
    '/name required',
    '/password required',
  ])
  const wrong = { email: 'alice', password: 'short', name: ' ', lname: 'a\u0000b', timeZone: 'Mars/Olympus' }
  await expectProblem(sendRequest(app, 'POST', path, wrong), 'invalid_request', [
    '/email bad_format',
    '/lname control_character',
    '/name too_short',
    '/password too_short',
    '/timeZone unknown_time_zone',
  ])
  const types = { email: 1, password: true, name: ['x'], lname: null, timeZone: {} }
  await expectProblem(
    sendRequest(app, 'POST', path, types),
    'invalid_request',
    ['/email', '/lname', '/name', '/password', '/timeZone'].map((field) => `${field} wrong_type`),
  )
})

const boundaries: readonly (readonly [string, object, string | undefined])[] = [
  ['a name of 100 characters', { name: 'n'.repeat(100) }, undefined],
  ['a name of 101 characters', { name: 'n'.repeat(101) }, '/name too_long'],
  ['a last name of 100 characters', { lname: 'n'.repeat(100) }, undefined],
  ['a last name of 101 characters', { lname: 'n'.repeat(101) }, '/lname too_long'],
  ['a password of 7 characters', { password: 'a'.repeat(7) }, '/password too_short'],
  ['a password of 8 characters', { password: 'tulip-8x' }, undefined],
  ['a password of 256 characters', { password: `${'a'.repeat(255)}b` }, undefined],
  ['a password of 257 characters', { password: 'a'.repeat(257) }, '/password too_long'],
  ['the most common password', { password: 'password' }, '/password too_common'],
  ['a common password in capitals', { password: 'PASSWORD1' }, '/password too_common'],
  ['a pattern', { password: '12341234' }, '/password too_common'],
  ['the address as a password', { email: 'same@example.org', password: 'SAME@example.org' }, '/password same_as_email'],
  [
    'an address of 254 characters',
    { email: `${'x'.repeat(60)}@${'y'.repeat(63)}.${'y'.repeat(63)}.${'y'.repeat(63)}.z` },
    undefined,
  ],
  ['a header in the address', { email: 'a@example.org\r\nBcc: b@example.org' }, '/email bad_format'],
]
for (const [index, [what, changes, violation]] of boundaries.entries()) {
  test(`${what}: ${violation ?? 'taken'}`, async () => {
    const reply = sendRequest(app, 'POST', path, { ...alice, email: `boundary${index}@example.org`, ...changes })
    if (violation === undefined) await expectOk(reply, 201)
    else await expectProblem(reply, 'invalid_request', [violation])
  })
}

test('creates only the first account where sign-up is closed', async () => {
  const closed = await startApp({ environment: { SIGN_UP: 'closed' } })
  await signUp(closed, 'Olga')
  await expectProblem(sendRequest(closed, 'POST', path, alice), 'sign_up_closed')
})

test('refuses people without an invitation where it is required', async () => {
  const inviting = await startApp({ environment: { SIGN_UP: 'invite' } })
  await signUp(inviting, 'Olga')
  await expectProblem(sendRequest(inviting, 'POST', path, alice), 'invitation_required')
  await expectProblem(
    sendRequest(inviting, 'POST', path, { ...alice, invitation: `inv_${'0'.repeat(49)}` }),
    'invalid_token',
  )
})

test('gives an email domain that the operator has mapped its own tenant', async () => {
  const mapped = await startApp({ environment: { TENANTS: 'acme.test=Acme,acme.example=Acme' } })
  const people = await Promise.all(
    ['a@acme.test', 'b@ACME.example', 'c@elsewhere.test', 'd@sub.acme.test'].map((email, at) =>
      signUp(mapped, `Person ${at}`, email),
    ),
  )
  const [acme, acmeToo, elsewhere, sub] = people.map(({ profile }) => profile.tenantId)
  assert.equal(acme, acmeToo)
  assert.notEqual(acme, elsewhere)
  assert.equal(elsewhere, sub)
})

test('limits a network to a hundred accounts an hour, and a forged address changes nothing', async () => {
  const limited = await startApp()
  const tryFrom = (headers: Record<string, string>) =>
    sendRequest(limited, 'POST', path, { ...alice, invitation: 'x' }, headers)
  for (let sent = 1; sent <= 100; sent++) {
    await expectProblem(
      tryFrom({ 'x-forwarded-for': `192.0.2.${sent}`, forwarded: `for=192.0.2.${sent}` }),
      'invalid_token',
    )
  }
  const reply = await tryFrom({ 'x-forwarded-for': '192.0.2.200', 'x-real-ip': '192.0.2.200' })
  await expectProblem(reply, 'too_many_requests')
  assert.ok(Number(reply.headers.get('retry-after')) > 0)
})
