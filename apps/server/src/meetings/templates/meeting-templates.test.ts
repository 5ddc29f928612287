import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maxMeetingTemplates } from '@parley/contract'
import { type Person, standUp } from '../../../test/people.ts'
import { expectOk, expectProblem } from '../../../test/replies.ts'
import { useApp } from '../../../test/use-app.ts'

const { clock, meet } = await useApp({ environment: { RATE_LIMITS: 'off' } })
const path = '/api/meeting/templates'

const review = (changes: object = {}) => ({
  name: ' Weekly review ',
  topic: 'Review',
  description: 'Bring numbers.',
  location: 'Room 5',
  durationMinutes: 45,
  participants: ['"Novák, Dan" <dan@example.org>', { email: 'eve@example.org', displayName: 'Eve' }, 'fay@example.org'],
  cohosts: ['eve@example.org'],
  advancedOptions: { waitingRoom: true },
  repeatOptions: { repeat: 'weekly', interval: 2, daysOfWeek: [0, 1, 0, 0, 0, 0, 0] },
  reminderMinutes: 15,
  ...changes,
})

const save = (person: Person, changes: object = {}) => expectOk(person.send('POST', path, review(changes)))
const namesOf = async (person: Person) =>
  (await expectOk(person.send('GET', path))).templates.map(({ name }: { name: string }) => name)

test('a template keeps what a meeting consists of, and a meeting is scheduled from it', async () => {
  const [alice] = await meet('Alice')
  const saved = await save(alice)
  assert.deepEqual(saved.participants, ['"Novák, Dan" <dan@example.org>', 'Eve <eve@example.org>', 'fay@example.org'])
  const { _id, name, createdOn, modifiedOn, durationMinutes, ...content } = saved
  assert.deepEqual([name, durationMinutes, content.advancedOptions.waitingRoom], ['Weekly review', 45, true])
  assert.deepEqual(await expectOk(alice.send('GET', `${path}/${_id}`)), saved)
  assert.deepEqual((await expectOk(alice.send('GET', path))).templates, [{ _id, name, createdOn, modifiedOn }])

  const { startTime, endTime, isPinEnabled } = standUp()
  const times = { startTime, endTime, isPinEnabled, repeatOptions: { ...content.repeatOptions, timeZone: 'UTC' } }
  const { meetingDetails } = await expectOk(
    alice.send('POST', '/api/meeting?sendUpdates=none', { ...content, ...times }),
  )
  assert.deepEqual(
    [meetingDetails.topic, meetingDetails.cohosts, meetingDetails.reminderMinutes],
    ['Review', ['eve@example.org'], 15],
  )
  assert.equal(meetingDetails.participants[0].displayName, 'Novák, Dan')
  assert.equal(meetingDetails.repeatOptions.interval, 2)
})

test('a change keeps what it does not name, and the list is in the order of names', async () => {
  const [alice] = await meet('Alice')
  const { _id, createdOn } = await save(alice)
  await save(alice, { name: 'Interview' })
  clock.advance(60_000)
  const renamed = await expectOk(alice.send('PATCH', `${path}/${_id}`, { name: 'A review' }))
  assert.deepEqual([renamed.name, renamed.topic, renamed.createdOn], ['A review', 'Review', createdOn])
  assert.notEqual(renamed.modifiedOn, createdOn)
  const shorter = await expectOk(alice.send('PATCH', `${path}/${_id}`, { durationMinutes: 15 }))
  assert.deepEqual([shorter.name, shorter.durationMinutes, shorter.participants.length], ['A review', 15, 3])
  const fewer = ['dan@example.org', { email: 'eve@example.org', displayName: '' }]
  const { participants } = await expectOk(alice.send('PATCH', `${path}/${_id}`, { participants: fewer }))
  assert.deepEqual(participants, ['"Novák, Dan" <dan@example.org>', 'eve@example.org'])
  assert.deepEqual(await namesOf(alice), ['A review', 'Interview'])
  await expectProblem(alice.send('PATCH', `${path}/${_id}`, { topic: '' }), 'invalid_request', ['/topic too_short'])
  await expectOk(alice.send('DELETE', `${path}/${_id}`), 204)
  await expectProblem(alice.send('DELETE', `${path}/${_id}`), 'template_not_found')
  assert.deepEqual(await namesOf(alice), ['Interview'])
})

test('the rules are those of a meeting', async () => {
  const [alice] = await meet('Alice')
  for (const [changes, ...refused] of [
    [{ name: ' ' }, '/name too_short'],
    [{ topic: ' ' }, '/topic too_short'],
    [{ participants: ['bob'] }, '/participants/0 bad_format'],
    [{ durationMinutes: 0 }, '/durationMinutes too_small'],
    [{ repeatOptions: { repeat: 'weekly', daysOfWeek: [0, 0, 0, 0, 0, 0, 0] } }, '/repeatOptions/daysOfWeek no_day'],
  ] as const) {
    await expectProblem(alice.send('POST', path, review(changes)), 'invalid_request', refused)
  }
  assert.deepEqual(await namesOf(alice), [])
})

test('a template belongs to its person alone, and a person has fifty', async () => {
  const [alice, bob] = await meet('Alice', 'Bob')
  const { _id } = await save(alice)
  for (const [method, body] of [
    ['GET', undefined],
    ['PATCH', { name: 'Mine' }],
    ['DELETE', undefined],
  ] as const) {
    await expectProblem(bob.send(method, `${path}/${_id}`, body), 'template_not_found')
    await expectProblem(bob.send(method, `${path}/none`, body), 'template_not_found')
  }
  assert.deepEqual(await namesOf(bob), [])
  const more = Array.from({ length: maxMeetingTemplates }, (_, at) =>
    alice.send('POST', path, review({ name: `Template ${at}` })),
  )
  const codes = (await Promise.all(more)).map(({ status }) => status)
  assert.deepEqual(
    codes.filter((status) => status !== 200),
    [409],
  )
  await expectProblem(alice.send('POST', path, review()), 'too_many_templates')
})

test('the templates of a person take two megabytes, and the largest seven are less', async () => {
  const [alice] = await meet('Alice')
  const domain = Array.from({ length: 4 }, () => 'x'.repeat(44)).join('.')
  const participants = Array.from({ length: 1_000 }, (_, at) => `${`guest${at}`.padEnd(64, 'x')}@${domain}.example`)
  const large = { participants, cohosts: [] }
  const saved = []
  for (let index = 0; index < 7; index++) saved.push(await save(alice, large))
  await expectProblem(alice.send('POST', path, review(large)), 'templates_too_large')
  const small = await save(alice)
  await expectProblem(alice.send('PATCH', `${path}/${small._id}`, large), 'templates_too_large')
  assert.equal((await expectOk(alice.send('GET', `${path}/${small._id}`))).participants.length, 3)
  await expectOk(alice.send('PATCH', `${path}/${saved[0]._id}`, { participants: [] }))
  await expectOk(alice.send('PATCH', `${path}/${small._id}`, large))
})

test('templates are exported with the account', async () => {
  const [alice] = await meet('Alice')
  await save(alice)
  const { meetingTemplates } = await expectOk(alice.send('GET', '/api/my_profile/export'))
  assert.deepEqual(
    meetingTemplates.map(({ name, content }: { name: string; content: { topic: string } }) => [name, content.topic]),
    [['Weekly review', 'Review']],
  )
})
