import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { dayOfSkip, type Known, startWriters, type Written } from '../test/meetings/meeting-writers.ts'
import { expectAnswer } from '../test/one-connection.ts'
import { detailsPath } from '../test/people.ts'
import { killAll, postmasterOf } from '../test/processes/process-tree.ts'
import { dataFolderOf, runService, type ServiceProcess } from '../test/processes/run-service.ts'
import { type ServicePerson, signUp } from '../test/processes/service-people.ts'

/** The kills come at random moments; to repeat a run, give its seed. */
const seed = Number(process.env.CRASH_SEED ?? Math.floor(Math.random() * 1_000_000))
let state = seed
/** Lehmer's generator, sufficiently random for this. */
const random = () => {
  state = (state * 48_271 + 11) % 2_147_483_647
  return state / 2_147_483_647
}

const crashes = {
  'server and database': async (service: ServiceProcess) => killAll(await service.processes()),
  'the server': async (service: ServiceProcess) => killAll([service.pid]),
  'the database': async (service: ServiceProcess) => killAll([await postmasterOf(service.pid)]),
}
const rounds = [
  ...Array<'server and database'>(5).fill('server and database'),
  ...(['the server', 'the database', 'server and database'] as const),
]

test('keeps every answered meeting complete after kill -9 at any moment', async (t) => {
  t.diagnostic(`CRASH_SEED=${seed}`)
  const environment = { DATA_DIR: await dataFolderOf(t) }
  const written: Written = { known: [], unansweredTopics: new Set(), answers: 0, refusals: 0 }
  let service = await runService(t, { environment })
  const alice = await signUp(service.base, 'Alice')

  for (const [round, victim] of rounds.entries()) {
    const answersBefore = written.answers
    const stopWriting = startWriters({ base: service.base, host: alice, round, written })
    // On a busy machine the first reply takes longer than the intervals under test.
    while (written.answers === answersBefore) await sleep(5)
    await sleep(random() * 800)
    await crashes[victim](service)
    const killedAt = performance.now()
    if (victim === 'the database') {
      await service.waitForOutput(/PostgreSQL is started again/)
      while (!(await isReady(service))) await sleep(20)
      await stopWriting()
    } else {
      await stopWriting()
      service = await runService(t, { environment })
    }
    const recoveryMs = Math.round(performance.now() - killedAt)
    const found = await assertWhole(service, alice, written)
    const answers = written.answers - answersBefore
    t.diagnostic(
      `kill -9 of ${victim}: ${answers} answers before, ${recoveryMs} ms until ready, ${found} meetings whole`,
    )
    assert.ok(answers > 0)
  }
  const unanswered = written.known.filter((meeting) => meeting.unanswered !== undefined).length
  t.diagnostic(`${written.answers} answered requests, ${unanswered} unanswered changes, 0 lost`)
})

async function isReady(service: ServiceProcess): Promise<boolean> {
  return (await fetch(`${service.base}/healthz/database`)).status === 200
}

/** Every answered meeting equals its reply; every other meeting was requested, and is complete. */
async function assertWhole(service: ServiceProcess, alice: ServicePerson, written: Written): Promise<number> {
  const rows = await listAll(service, alice)
  const known = new Map(written.known.map((meeting) => [meeting.answered._id, meeting]))
  for (const meeting of written.known) {
    const row = rows.get(meeting.answered._id)
    assert.ok(row !== undefined, `${meeting.answered.topic} is lost`)
    assertAsAnswered(row, meeting)
    if (meeting.isToBeRead) await assertSkipped(service, alice, meeting)
  }
  for (const row of rows.values()) {
    if (known.has(row._id)) continue
    assert.ok(written.unansweredTopics.has(row.topic), `${row.topic} was never asked for`)
    const [some] = written.known
    assert.deepEqual(Object.keys(row).toSorted(), Object.keys(rows.get(some?.answered._id)).toSorted())
    assert.ok(row.participants.length > 0)
  }
  return rows.size
}

/** All pages, one after the other; each page reports the same count. */
async function listAll(service: ServiceProcess, { token }: ServicePerson) {
  const rows = new Map<string, Known['answered']>()
  let cursor: string | null = ''
  while (cursor !== null) {
    const page = `/api/meeting/me?status=all&limit=200${cursor && `&after=${cursor}`}`
    const { body } = await expectAnswer(service.base, 200, 'GET', page, { token })
    for (const row of body.meetingDetails) rows.set(row._id, row)
    cursor = body.nextCursor
    if (cursor === null) assert.equal(body.totalCount, rows.size)
  }
  return rows
}

function assertAsAnswered(row: Known['answered'], { answered, changes, unanswered }: Known) {
  const { participants, status, topic, modifiedOn: _, __v: version, notificationsSend: _sent, ...rest } = answered
  // The reply to an update describes the change with these; they are no fields of the meeting.
  const {
    restoredOccurrences: _restored,
    removedOccurrences: _removed,
    ...fields
  } = { ...rest } as Record<string, unknown>
  for (const [field, value] of Object.entries(fields)) assert.deepEqual(row[field], value, `${topic}: ${field}`)

  // An unanswered change has happened completely or not at all.
  const emails = (some: { email: string }[]) => some.map(({ email }) => email).toSorted()
  const isChanged = row.__v === version + changes + 1
  assert.ok(row.__v === version + changes || (unanswered !== undefined && isChanged), `${topic}: version ${row.__v}`)
  const update = isChanged && unanswered?.request === 'update' ? unanswered : undefined
  assert.equal(row.topic, update?.topic ?? topic)
  assert.deepEqual(emails(row.participants), update?.participants.toSorted() ?? emails(participants))
  assert.equal(row.status, isChanged && unanswered?.request === 'cancel' ? 'cancelled' : status)
}

/** The cancelled date is gone, and no other. */
async function assertSkipped(service: ServiceProcess, { token }: ServicePerson, meeting: Known) {
  meeting.isToBeRead = false
  const path = `${detailsPath(meeting.answered)}/occurrences?from=2030-01-01T00:00:00Z`
  const { body } = await expectAnswer(service.base, 200, 'GET', path, { token })
  const starts: string[] = body.occurrences.map(({ startTime }: { startTime: string }) => startTime)
  assert.ok(!starts.some((start) => start.startsWith(dayOfSkip)))
  assert.equal(starts.length, 14)
}
