import assert from 'node:assert/strict'
import { test } from 'node:test'
import { profileSettingDefaults, usualMeetingDefaults } from '@parley/contract'
import { sendRequest, signUp } from '../../../test/people.ts'
import { expectOk, expectProblem } from '../../../test/replies.ts'
import { startApp } from '../../../test/start-app.ts'
import { useApp } from '../../../test/use-app.ts'

const path = '/api/my_profile'
const { app, meet } = await useApp()

test('changes only the fields that were sent', async () => {
  const [alice, bob] = await meet('Alice', 'Bob')
  const changes = {
    name: 'Robert',
    lname: '',
    phoneNo: '+44 (20) 7946-0958',
    timeZone: 'IST',
    language: 'hi',
    department: 'Logic',
    location: 'Oxford',
    avatar: 7,
    videoOff: true,
    schoolData: { tnc_privacy: true },
  }
  const body = await expectOk(bob.send('PUT', path, changes))
  const schoolData = { tnc_purpose: false, tnc_service: false, tnc_privacy: true, tnc_authorized: false }
  assert.deepEqual(body, { ...bob.profile, ...changes, schoolData })
  assert.deepEqual((await bob.send('GET', path)).body, body)
  assert.deepEqual((await bob.send('PUT', path, {})).body, body)
  assert.deepEqual((await alice.send('GET', path)).body, alice.profile)
})

test('accepts a language that the service has for emails, or none', async () => {
  const [hedwig] = await meet('Hedwig')
  const { status, body } = await hedwig.send('PUT', path, { language: 'tlh' })
  assert.deepEqual([status, body.errors[0].path], [400, '/language'])
  for (const language of ['ar', ''])
    assert.equal((await hedwig.send('PUT', path, { language })).body.language, language)
})

test('turns each of the person’s own switches alone, and back', async () => {
  const [carol] = await meet('Carol')
  for (const [name, usual] of Object.entries(profileSettingDefaults)) {
    const { body } = await carol.send('PUT', path, { [name]: !usual })
    assert.deepEqual(body, { ...carol.profile, [name]: !usual }, name)
    assert.deepEqual((await carol.send('PUT', path, { [name]: usual })).body, carol.profile, name)
  }
})

test('changes what new meetings begin with, one value at a time', async () => {
  const [frank] = await meet('Frank')
  assert.deepEqual(frank.profile.meetingDefaults, usualMeetingDefaults)
  const change = (meetingDefaults: object) => expectOk(frank.send('PUT', path, { meetingDefaults }))
  await change({ durationMinutes: 45 })
  await change({ advancedOptions: { waitingRoom: true } })
  await change({ advancedOptions: { hostVideo: false } })
  const { meetingDefaults } = await change({ sendUpdates: 'none' })
  const advancedOptions = { ...usualMeetingDefaults.advancedOptions, waitingRoom: true, hostVideo: false }
  assert.deepEqual(meetingDefaults, { durationMinutes: 45, sendUpdates: 'none', advancedOptions })
  assert.deepEqual((await frank.send('GET', path)).body.meetingDefaults, meetingDefaults)
})

test('ignores fields that the person may not change', async () => {
  const [alice, dave] = await meet('Alice', 'Dave')
  const tried = {
    _id: alice.profile._id,
    email: alice.email,
    roleIds: ['administrator'],
    tenantId: alice.profile._id,
    oauthEnabled: true,
    emailVerified: false,
    recordingEnabled: true,
    isOTT: true,
    roomPIN: 'aaaaaa',
    svcMeetId: '9000000000',
    jcData: { jcKey: 'x' },
    schoolData: { tnc_other: true },
    __proto__: { administrator: true },
    constructor: 1,
  }
  const body = await expectOk(dave.send('PUT', path, tried))
  // Fields that a profile has are ignored without a word: clients send back what they have read.
  assert.deepEqual(body, { ...dave.profile, ignoredFields: ['/schoolData/tnc_other', '/constructor'] })
})

test('accepts a profile as it was read', async () => {
  const [alice] = await meet('Alice')
  const body = await expectOk(alice.send('PUT', path, alice.profile))
  assert.deepEqual(body, alice.profile)
})

test('keeps both of two simultaneous changes', async () => {
  const [erin] = await meet('Erin')
  const names = Object.keys(profileSettingDefaults)
  await Promise.all(names.map((name) => erin.send('PUT', path, { [name]: true })))
  const { body } = await erin.send('GET', path)
  for (const name of names) assert.equal(body[name], true, name)
})

const boundaries: readonly (readonly [string, object, string | undefined])[] = [
  ['a name of 100 characters', { name: 'n'.repeat(100) }, undefined],
  ['a name of 101 characters', { name: 'n'.repeat(101) }, '/name too_long'],
  ['a blank name', { name: ' ' }, '/name too_short'],
  ['a name that turns text around', { name: 'Ali\u202ece' }, '/name control_character'],
  ['a phone number of 32 characters', { phoneNo: '1'.repeat(32) }, undefined],
  ['a phone number of 33 characters', { phoneNo: '1'.repeat(33) }, '/phoneNo too_long'],
  ['no phone number', { phoneNo: '' }, undefined],
  ['letters in a phone number', { phoneNo: '0800-CALL' }, '/phoneNo bad_format'],
  ['a department of 101 characters', { department: 'd'.repeat(101) }, '/department too_long'],
  ['a location of two lines', { location: 'a\nb' }, '/location control_character'],
  ['an IANA zone', { timeZone: 'Europe/Berlin' }, undefined],
  ['an offset', { timeZone: '+05:30' }, undefined],
  ['no zone', { timeZone: '' }, undefined],
  ['a zone that there is not', { timeZone: 'Europe/Atlantis' }, '/timeZone unknown_time_zone'],
  ['hours by 12', { hourCycle: 'h12' }, undefined],
  ['hours by 11', { hourCycle: 'h11' }, '/hourCycle not_allowed'],
  ['weeks from Saturday', { firstDayOfWeek: 'sat' }, undefined],
  ['weeks as usual', { firstDayOfWeek: '' }, undefined],
  ['weeks from Tuesday', { firstDayOfWeek: 'tue' }, '/firstDayOfWeek not_allowed'],
  ['meetings of a minute', { meetingDefaults: { durationMinutes: 1 } }, undefined],
  ['meetings of no minute', { meetingDefaults: { durationMinutes: 0 } }, '/meetingDefaults/durationMinutes too_small'],
  ['meetings of a day', { meetingDefaults: { durationMinutes: 1440 } }, undefined],
  ['meetings of more', { meetingDefaults: { durationMinutes: 1441 } }, '/meetingDefaults/durationMinutes too_large'],
  ['updates to some', { meetingDefaults: { sendUpdates: 'some' } }, '/meetingDefaults/sendUpdates not_allowed'],
  ['the first picture', { avatar: 0 }, undefined],
  ['the last picture', { avatar: 100 }, undefined],
  ['the picture after the last', { avatar: 101 }, '/avatar too_large'],
  ['a picture before the first', { avatar: -1 }, '/avatar too_small'],
  ['half a picture', { avatar: 1.5 }, '/avatar wrong_type'],
  ['a switch that is a word', { videoOff: 'true' }, '/videoOff wrong_type'],
  ['a switch that is null', { videoOff: null }, '/videoOff wrong_type'],
  ['a consent that is a number', { schoolData: { tnc_privacy: 1 } }, '/schoolData/tnc_privacy wrong_type'],
  ['consents that are a list', { schoolData: [] }, '/schoolData wrong_type'],
]
for (const [what, changes, violation] of boundaries) {
  test(`${what}: ${violation ?? 'taken'}`, async () => {
    const [alice] = await meet('Alice')
    const reply = alice.send('PUT', path, changes)
    if (violation === undefined) await expectOk(reply)
    else await expectProblem(reply, 'invalid_request', [violation])
  })
}

test('applies the operator’s own codes', async () => {
  const [alice] = await meet('Alice')
  const inIsrael = await startApp({ environment: { TZ_ALIASES: 'OFFICE=Asia/Jerusalem' } })
  const olga = await signUp(inIsrael, 'Olga')
  await expectOk(olga.send('PUT', path, { timeZone: 'office' }))
  await expectProblem(alice.send('PUT', path, { timeZone: 'office' }), 'invalid_request')
})

test('lets a personal token read the room’s PIN, but not the chat key', async () => {
  const [alice] = await meet('Alice')
  const { body } = await alice.send('POST', '/api/auth/tokens', { name: 'script', scopes: ['user:read'] })
  const read = await sendRequest(app, 'GET', path, undefined, { authorization: body.token })
  assert.equal(read.body.roomPIN, alice.profile.roomPIN)
  assert.equal(read.body.jcData.jcId, alice.profile.jcData.jcId)
  assert.equal(read.body.jcData.jcKey, '')
})
