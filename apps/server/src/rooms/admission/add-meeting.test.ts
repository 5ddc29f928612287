import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  cancelPath,
  detailsPath,
  meetPeople,
  type Person,
  schedule,
  sendRequest,
  signUp,
  standUp,
  weekdays,
} from '../../../test/people.ts'
import { expectOk, expectProblem } from '../../../test/replies.ts'
import { createClock, startApp } from '../../../test/start-app.ts'
import { maxAdded } from '../../meetings/lists/added-meeting-store.ts'

const clock = createClock('2030-01-01T00:00:00Z')
const app = await startApp({
  clock,
  emails: 'dropped',
  environment: { TRUST_PROXY: '127.0.0.1', TENANTS: 'acme.example=Acme' },
})
const { alice, bob, carol } = await meetPeople(app)

let networks = 0
const add = (person: Person, meeting: { svcMeetId: string }, pin: string, headers: Record<string, string> = {}) =>
  person.send(
    'POST',
    `/api/meeting/add/${meeting.svcMeetId}`,
    { pin },
    {
      'x-forwarded-for': `198.51.100.${++networks}`,
      ...headers,
    },
  )
const remove = (person: Person, { _id }: { _id: string }) => person.send('DELETE', `/api/meeting/added/${_id}`)
const listOf = async (person: Person, query = '') => {
  const { body } = await person.send('GET', `/api/meeting/me${query}`)
  const topics = body.meetingDetails.map(({ topic }: { topic: string }) => topic)
  assert.equal(body.totalCount, topics.length)
  return topics
}

test('Dora adds a meeting by its link, sees it without its participants, and removes it again', async () => {
  const dora = await signUp(app, 'Dora')
  const made = await schedule(alice, weekdays({ topic: 'Course', cohosts: [carol.email] }))
  await expectProblem(dora.send('GET', detailsPath(made)), 'meeting_not_found')
  const body = await expectOk(add(dora, made, made.pin.toUpperCase()))
  assert.deepEqual(body, { status: 'The meeting is on your list.', meetingId: made._id })
  await expectOk(add(dora, made, made.pin)) // twice is once

  const [seen] = (await dora.send('GET', detailsPath(made))).body
  assert.deepEqual([seen.topic, seen.pin, seen.participants, seen.cohosts], ['Course', made.pin, [], []])
  assert.deepEqual([seen.roomKey, seen.vpin, seen.hostInfo.email, seen.hostInfo.name], ['', '', '', 'Alice'])
  const [listed] = (await dora.send('GET', '/api/meeting/me')).body.meetingDetails
  assert.deepEqual([listed.participants, listed.cohosts, listed.hostInfo.email], [[], [], ''])
  for (const [query, topics] of [
    ['', ['Course']],
    ['?role=participant', ['Course']],
    ['?role=host', []],
    ['?past=false', ['Course']],
    ['?past=true', []],
    ['?status=cancelled', []],
    ['?status=all', ['Course']],
    ['?q=cour', ['Course']],
    ['?fromDate=2030-01-10T00:00:00Z&toDate=2030-01-11T00:00:00Z', ['Course']],
    ['?fromDate=2030-01-12T00:00:00Z&toDate=2030-01-13T00:00:00Z', []],
  ] as const) {
    assert.deepEqual(await listOf(dora, query), topics, query)
  }
  await expectProblem(dora.send('POST', cancelPath(made), { cancel: 'all' }), 'forbidden')
  await expectProblem(dora.send('PUT', detailsPath(made), weekdays()), 'forbidden')

  await expectProblem(remove(bob, made), 'meeting_not_found')
  await expectOk(remove(dora, made))
  assert.deepEqual(await listOf(dora), [])
  await expectProblem(dora.send('GET', detailsPath(made)), 'meeting_not_found')
  await expectProblem(remove(dora, made), 'meeting_not_found')
})

test('keeps an added meeting after changes by the host, invites no one, and lists it once after an invitation', async () => {
  const erik = await signUp(app, 'Erik')
  const made = await schedule(alice)
  await add(erik, made, made.pin)
  const change = (changes: object) => alice.send('PUT', detailsPath(made), standUp(changes))
  const { body } = await change({ topic: 'Moved', startTime: '2030-02-01T09:00:00Z', endTime: '2030-02-01T10:00:00Z' })
  assert.deepEqual(
    body.participants.map(({ email }: { email: string }) => email),
    ['bob@example.org'],
  )
  assert.deepEqual(await listOf(erik), ['Moved'])
  const emails = (await app.mails()).filter(({ to }) => to === erik.email)
  assert.deepEqual(emails, [], 'who has added a meeting is not mailed about it')
  assert.deepEqual(await listOf(erik, '?fromDate=2030-02-01T00:00:00Z&toDate=2030-02-02T00:00:00Z'), ['Moved'])
  await change({ topic: 'Invited', participants: [erik.email] })
  assert.deepEqual(await listOf(erik), ['Invited'])
  const [seen] = (await erik.send('GET', detailsPath(made))).body
  assert.equal(seen.participants.length, 1)
  await change({ topic: 'No more', participants: [] })
  assert.deepEqual(await listOf(erik), ['No more'])
  await alice.send('POST', cancelPath(made), { cancel: 'all' })
  assert.deepEqual([await listOf(erik), await listOf(erik, '?status=cancelled')], [[], ['No more']])
})

test('the host and invited people have the meeting on their lists already', async () => {
  const made = await schedule(alice)
  for (const person of [alice, bob]) await expectOk(add(person, made, made.pin))
  await expectProblem(remove(bob, made), 'meeting_not_found')
})

test('adding and entering share the limits on PIN attempts and count together', async () => {
  const made = await schedule(alice)
  const here = { 'x-forwarded-for': '203.0.113.9' }
  for (let failures = 0; failures < 4; failures++) {
    await expectProblem(add(carol, made, 'wrong2', here), 'wrong_pin')
  }
  await sendRequest(app, 'POST', `/api/rooms/${made.svcMeetId}/enter`, { pin: 'wrong2' }, here)
  const refused = await add(carol, made, made.pin, here)
  await expectProblem(refused, 'too_many_requests')
  assert.ok(Number(refused.headers.get('retry-after')) > 590)
  await expectOk(add(carol, made, made.pin))
  await expectProblem(add(carol, { svcMeetId: '8999999999' }, made.pin), 'meeting_not_found')
})

test('refuses to add a meeting for people who may not attend it', async () => {
  const stranger = await signUp(app, 'Stranger', 'stranger@acme.example')
  const restricted = await schedule(alice, standUp({ advancedOptions: { isRestrictedMeeting: true } }))
  await expectProblem(add(carol, restricted, restricted.pin), 'not_invited')
  await expectOk(add(bob, restricted, restricted.pin))
  const colleagues = await schedule(alice, standUp({ advancedOptions: { colleagueOnly: true } }))
  await expectProblem(add(stranger, colleagues, colleagues.pin), 'not_invited')
  await expectOk(add(carol, colleagues, colleagues.pin))
  const cancelled = await schedule(alice)
  await alice.send('POST', cancelPath(cancelled), { cancel: 'all' })
  await expectProblem(add(carol, cancelled, 'wrong2'), 'wrong_pin')
  await expectProblem(add(carol, cancelled, cancelled.pin), 'meeting_cancelled')
})

test('treats a person who added a meeting as not invited', async () => {
  const fay = await signUp(app, 'Fay')
  const made = await schedule(alice)
  await add(fay, made, made.pin)
  await alice.send('PUT', detailsPath(made), standUp({ advancedOptions: { isRestrictedMeeting: true } }))
  const enter = `/api/rooms/${made.svcMeetId}/enter`
  assert.equal((await fay.send('POST', enter, { pin: made.pin })).body.state, 'not_invited')
})

test('refuses the 1,001st added meeting of a list', async () => {
  const gus = await signUp(app, 'Gus')
  const [last, oneMore] = [await schedule(alice), await schedule(alice)]
  const { database } = app
  const model = await database.selectFrom('meeting').selectAll().where('id', '=', last._id).executeTakeFirstOrThrow()
  const { recurring: _, lastStartsAt: __, ...row } = model
  const ids = Array.from({ length: maxAdded - 1 }, (_, at) => `00000000-0000-7000-8000-${String(at).padStart(12, '0')}`)
  await database
    .insertInto('meeting')
    .values(
      ids.map((id, at) => ({
        ...row,
        id,
        code: `1${String(at).padStart(9, '0')}`,
        overAt: model.overAt as Date,
        recurrence: JSON.stringify(row.recurrence),
        options: JSON.stringify(row.options),
        textAuthors: JSON.stringify(row.textAuthors),
      })),
    )
    .execute()
  const added = ids.map((meetingId) => ({ accountId: gus.profile._id, meetingId, addedAt: clock.now() }))
  await database.insertInto('addedMeeting').values(added).execute()
  await expectOk(add(gus, last, last.pin))
  await expectProblem(add(gus, oneMore, oneMore.pin), 'too_many_added')
  await expectOk(add(gus, last, last.pin)) // what is there is there
  await expectOk(remove(gus, last))
  await expectOk(add(gus, oneMore, oneMore.pin))
})
