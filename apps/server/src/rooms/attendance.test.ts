import assert from 'node:assert/strict'
import { test } from 'node:test'
import { detailsPath, meetPeople, type Person, schedule, sendRequest, standUp } from '../../test/people.ts'
import { expectProblem } from '../../test/replies.ts'
import { createClock, startApp } from '../../test/start-app.ts'
import { secureRandom } from '../platform/random.ts'

const clock = createClock('2030-01-07T12:00:00Z')
const app = await startApp({ clock, emails: 'dropped' })
const { alice, bob, carol, mallory } = await meetPeople(app)

const exportPath = (meeting: { _id: string }) => `${detailsPath(meeting)}/attendance/export`
async function download(meeting: { _id: string }, { token }: Person) {
  const response = await fetch(app.base + exportPath(meeting), { headers: { authorization: `Bearer ${token}` } })
  const lines = (await response.text()).split('\r\n')
  return { status: response.status, headers: response.headers, lines }
}

/** People who were in the room for a second each, one after another from 09:00 on. */
async function attend(meetingId: string, names: readonly string[]) {
  const { database } = app
  const at = (seconds: number) => new Date(Date.parse('2030-01-07T09:00:00Z') + seconds * 1_000)
  const sessionId = secureRandom.uuid(at(0))
  await database
    .insertInto('roomSession')
    .values({ id: sessionId, meetingId, startedAt: at(0), endedAt: at(names.length) })
    .execute()
  const rows = names.map((name, seconds) => ({ id: secureRandom.uuid(at(seconds)), meetingId, name, seconds }))
  const [askedAt, occurrenceAt, seenAt] = [at(0), at(0), at(0)]
  await database
    .insertInto('admission')
    .values(
      rows.map(({ id, name }) => ({
        id,
        meetingId,
        accountId: null,
        guestHash: Buffer.alloc(32, id),
        name,
        role: 'participant',
        state: 'admitted',
        askedAt,
        occurrenceAt,
        seenAt,
        decidedAt: null,
      })),
    )
    .execute()
  await database
    .insertInto('roomStay')
    .values(
      rows.map(({ id, name, seconds }) => ({
        id: secureRandom.uuid(at(seconds)),
        sessionId,
        meetingId,
        admissionId: id,
        accountId: null,
        name,
        role: 'participant',
        participantSid: id,
        joinedAt: at(seconds),
        leftAt: at(seconds + 1),
      })),
    )
    .execute()
}

test('Alice downloads the attendance in the order of arrival, without cells that a spreadsheet would compute', async () => {
  const meeting = await schedule(alice)
  await attend(meeting._id, ['Greta', '=1+1', 'Plain "quoted", name'])
  const { status, headers, lines } = await download(meeting, alice)
  assert.equal(status, 200)
  assert.equal(headers.get('content-type'), 'text/csv; charset=utf-8')
  assert.equal(headers.get('content-disposition'), 'attachment; filename="attendance-2030-01-07.csv"')
  const session = '"2030-01-07T09:00:00.000Z","2030-01-07T09:00:03.000Z"'
  const stay = (seconds: number) =>
    `"","participant","2030-01-07T09:00:0${seconds}.000Z","2030-01-07T09:00:0${seconds + 1}.000Z"`
  assert.deepEqual(lines, [
    '"sessionStartedOn","sessionEndedOn","name","email","role","joinedOn","leftOn"',
    `${session},"Greta",${stay(0)}`,
    `${session},"'=1+1",${stay(1)}`,
    `${session},"Plain ""quoted"", name",${stay(2)}`,
    '',
  ])
})

test('exports more people than one query reads, each once, and only the heading for a meeting without attendance', async () => {
  const [crowded, empty] = [await schedule(alice), await schedule(alice)]
  const names = Array.from({ length: 2_001 }, (_, at) => `Guest ${at}`)
  await attend(crowded._id, names)
  const { lines } = await download(crowded, alice)
  assert.deepEqual(
    lines.slice(1, -1).map((line) => line.split('","')[2]),
    names,
  )
  assert.equal((await download(empty, alice)).lines.length, 2)
})

test('a cohost downloads the attendance, a participant does not, and for others the meeting does not exist', async () => {
  const meeting = await schedule(alice, standUp({ cohosts: [carol.email] }))
  assert.equal((await download(meeting, carol)).status, 200)
  await expectProblem(bob.send('GET', exportPath(meeting)), 'host_required')
  await expectProblem(mallory.send('GET', exportPath(meeting)), 'meeting_not_found')
  await expectProblem(sendRequest(app, 'GET', exportPath(meeting)), 'unauthorized')
  for (const _id of ['nonsense', '%00']) {
    await expectProblem(alice.send('GET', exportPath({ _id })), 'meeting_not_found')
  }
})
