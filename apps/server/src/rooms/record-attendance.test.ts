import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Person, schedule, sendRequest, standUp } from '../../test/people.ts'
import { expectOk } from '../../test/replies.ts'
import { as, createRecordingMedia, enter, type Room, roomPath } from '../../test/rooms/rooms.ts'
import { useApp } from '../../test/use-app.ts'
import { secureRandom } from '../platform/random.ts'
import { recordJoin, recordLeave } from './record-attendance.ts'

const { app, clock, meet } = await useApp({
  start: '2030-01-07T09:10:00Z',
  media: createRecordingMedia(),
  emails: 'dropped',
})
const minuteMs = 60_000

const scheduleFor = (alice: Person, bob: Person, topic: string): Promise<Room> =>
  schedule(alice, standUp({ topic, participants: [bob.email] }))
const statusesOf = async (person: Person) => {
  const query = 'fromDate=2030-01-06T00:00:00Z&toDate=2030-01-10T00:00:00Z'
  const { body } = await person.send('GET', `/api/meeting/calendar/me?${query}`)
  return body.occurrences.map(({ topic, room }: { topic: string; room?: string }) => `${topic} ${room ?? '-'}`)
}
/** The engine reports that a person has connected. */
async function connect(room: Room, person: Person, participantSid: string) {
  const { admissionId = '' } = await enter(app, room, as(person))
  const connection = { meetingId: room._id, admissionId, participantSid, joinedAt: clock.now() }
  await recordJoin({ database: app.database, random: secureRandom }, connection, clock.now())
}

test('the calendar shows for each meeting whether people are inside, and whether a host has ended it', async () => {
  const [alice, bob, carol] = await meet('Alice', 'Bob', 'Carol')
  const [held, quiet] = [await scheduleFor(alice, bob, 'Held'), await scheduleFor(alice, bob, 'Quiet')]
  assert.deepEqual((await statusesOf(alice)).toSorted(), ['Held -', 'Quiet -'])
  await connect(held, bob, 'PA_bob')
  await connect(held, alice, 'PA_alice')
  for (const person of [alice, bob]) {
    assert.deepEqual((await statusesOf(person)).toSorted(), ['Held occupied', 'Quiet -'])
  }
  assert.deepEqual(await statusesOf(carol), [])

  clock.advance(minuteMs)
  await recordLeave(app.database, held._id, { participantSid: 'PA_bob' }, clock.now(), clock.now())
  assert.ok((await statusesOf(bob)).includes('Held occupied'), 'Alice is still there')
  clock.advance(minuteMs)
  await expectOk(sendRequest(app, 'POST', roomPath(held, 'end'), undefined, as(alice)), 204)
  assert.deepEqual((await statusesOf(bob)).toSorted(), ['Held ended', 'Quiet -'])
  await connect(quiet, bob, 'PA_again')
  assert.deepEqual((await statusesOf(alice)).toSorted(), ['Held ended', 'Quiet occupied'])
})

test('the list by dates has an overrun date ahead until it is left, and a date that its host has ended in the past', async () => {
  const [alice, bob] = await meet('Alice', 'Bob')
  const topicsOf = async (person: Person, list: string) =>
    (await person.send('GET', `/api/meeting/agenda?list=${list}&q=list:`)).body.dates.map(
      ({ topic, room }: { topic: string; room?: string }) => `${topic} ${room ?? '-'}`,
    )
  const [held, overrun] = [await scheduleFor(alice, bob, 'list: Held'), await scheduleFor(alice, bob, 'list: Overrun')]
  await connect(held, alice, 'PA_held')
  await connect(overrun, bob, 'PA_overrun')
  assert.deepEqual((await topicsOf(bob, 'ahead')).toSorted(), ['list: Held occupied', 'list: Overrun occupied'])
  await expectOk(sendRequest(app, 'POST', roomPath(held, 'end'), undefined, as(alice)), 204)
  assert.deepEqual(await topicsOf(bob, 'ahead'), ['list: Overrun occupied'])
  assert.deepEqual(await topicsOf(bob, 'past'), ['list: Held -'])
  clock.set('2030-01-07T10:00:00Z')
  assert.deepEqual(await topicsOf(alice, 'ahead'), ['list: Overrun occupied'])
  assert.deepEqual(await topicsOf(alice, 'past'), ['list: Held -'])
  await recordLeave(app.database, overrun._id, { participantSid: 'PA_overrun' }, clock.now(), clock.now())
  assert.deepEqual(await topicsOf(alice, 'ahead'), [])
  assert.deepEqual((await topicsOf(alice, 'past')).toSorted(), ['list: Held -', 'list: Overrun -'])
})
