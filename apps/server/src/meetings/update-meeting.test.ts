import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cancelPath, detailsPath, meetUsers, schedule, standUp, weekdays } from '../../test/people.ts'
import { expectOk, expectProblem } from '../../test/replies.ts'
import { useApp } from '../../test/use-app.ts'

const { app, clock, olga } = await useApp({ start: '2030-01-01T00:00:00Z', emails: 'dropped' })
const { alice, bob, carol, mallory } = await meetUsers(app)

test('returns the changed meeting, without a wrapper', async () => {
  const created = await schedule(alice)
  clock.advance(1000)
  const changed = { topic: 'Retro', startTime: '2030-01-07T10:00:00Z', endTime: '2030-01-07T11:00:00Z' }
  const reply = await alice.send('PUT', detailsPath(created), standUp(changed))
  const body = await expectOk(reply)
  assert.equal(reply.headers.get('etag'), '"v1"')
  assert.deepEqual(body, {
    ...created,
    topic: 'Retro',
    startTime: '2030-01-07T10:00:00.000Z',
    endTime: '2030-01-07T11:00:00.000Z',
    scheduledDuration: 3_600_000,
    modifiedOn: '2030-01-01T00:00:01.000Z',
    __v: 1,
    restoredOccurrences: [],
    removedOccurrences: [],
  })
})

test('accepts a meeting as it was read', async () => {
  const created = await schedule(alice, weekdays({ cohosts: ['carol@example.org'] }))
  const [read] = (await alice.send('GET', detailsPath(created))).body
  const body = await expectOk(alice.send('PUT', detailsPath(created), read))
  assert.deepEqual({ ...body, __v: 0 }, { ...created, restoredOccurrences: [], removedOccurrences: [] })
})

test('accepts one of two changes to the same version', async () => {
  const created = await schedule(alice)
  const change = (topic: string) => alice.send('PUT', detailsPath(created), standUp({ topic }), { 'if-match': '"v0"' })
  const answers = await Promise.all([change('One'), change('Two')])
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 412])
  const won = answers.find(({ status }) => status === 200)
  const lost = answers.find(({ status }) => status === 412)
  await expectProblem(lost, 'stale_version')
  assert.equal(lost?.headers.get('etag'), '"v1"')
  const [read] = (await alice.send('GET', detailsPath(created))).body
  assert.equal(read.topic, won?.body.topic)
})

test('If-Match accepts a list and *, and no weak tag', async () => {
  const created = await schedule(alice)
  const updateWith = (tag: string) => alice.send('PUT', detailsPath(created), standUp(), { 'if-match': tag })
  await expectOk(updateWith('"v7", "v0"'))
  await expectOk(updateWith('*'))
  await expectProblem(updateWith('W/"v2"'), 'stale_version')
  await expectOk(updateWith('"v2"'))
})

test('an update with the values that the meeting has raises the version, and is the last change', async () => {
  const created = await schedule(alice)
  clock.advance(1_000)
  const answer = await alice.send('PUT', detailsPath(created), standUp())
  await expectOk(answer)
  assert.deepEqual([answer.headers.get('etag'), answer.body.__v], ['"v1"', 1])
  assert.equal(answer.body.modifiedOn, clock.now().toISOString())
})

test('refuses a participant, is not found for a stranger, and lets an administrator move the dates', async () => {
  const created = await schedule(alice)
  const change = standUp({ topic: 'Mine now' })
  await expectProblem(bob.send('PUT', detailsPath(created), change), 'forbidden')
  await expectProblem(mallory.send('PUT', detailsPath(created), change), 'meeting_not_found')
  const later = { startTime: '2030-01-07T10:00:00.000Z', endTime: '2030-01-07T10:30:00.000Z' }
  const [read] = (await olga.send('GET', detailsPath(created))).body
  const asOlga = await expectOk(olga.send('PUT', detailsPath(created), { ...read, ...later }))
  const [moved] = (await alice.send('GET', detailsPath(created))).body
  const { topic, description, participants } = moved
  assert.deepEqual([moved.startTime, moved.endTime], [later.startTime, later.endTime])
  assert.deepEqual({ topic, description }, { topic: created.topic, description: created.description })
  assert.equal(participants.length, created.participants.length)
  assert.deepEqual([asOlga.createdBy, asOlga.modifiedBy], [alice.profile._id, olga.profile._id])
})

test('a cohost may change the meeting as the host does, but may not remove cohosts', async () => {
  const cohosts = ['carol@example.org', 'dave@example.org']
  const created = await schedule(alice, standUp({ cohosts }))
  const keep = await expectOk(carol.send('PUT', detailsPath(created), standUp({ topic: 'By Carol' })))
  assert.deepEqual([keep.topic, keep.cohosts], ['By Carol', cohosts])
  await expectProblem(carol.send('PUT', detailsPath(created), standUp({ cohosts: ['carol@example.org'] })), 'forbidden')
  const byHost = await alice.send('PUT', detailsPath(created), standUp({ cohosts: [] }))
  assert.deepEqual(byHost.body.cohosts, [])
  await expectProblem(carol.send('GET', detailsPath(created)), 'meeting_not_found')
})

test('a participant who is removed from the list can no longer read the meeting', async () => {
  const created = await schedule(alice)
  await alice.send('PUT', detailsPath(created), standUp({ participants: ['carol@example.org'] }))
  await expectProblem(bob.send('GET', detailsPath(created)), 'meeting_not_found')
  await expectOk(carol.send('GET', detailsPath(created)))
})

test('refuses to change a cancelled meeting', async () => {
  const created = await schedule(alice)
  await alice.send('POST', cancelPath(created), { cancel: 'all' })
  await expectProblem(alice.send('PUT', detailsPath(created), standUp()), 'meeting_cancelled')
})

test('refuses a change that leaves no date, and changes nothing', async () => {
  const created = await schedule(alice, weekdays())
  await alice.send('POST', cancelPath(created), { cancel: 'current' })
  const onlySkipped = { ...weekdays().repeatOptions, endDate: '2030-01-07T23:00:00Z' }
  await expectProblem(
    alice.send('PUT', detailsPath(created), weekdays({ repeatOptions: onlySkipped })),
    'invalid_request',
    ['/repeatOptions/endDate no_occurrence'],
  )
  const [read] = (await alice.send('GET', detailsPath(created))).body
  assert.equal(read.__v, 1)
})

test('a series of ten dates is sent back as it was read, and becomes one of three, or one that ends on a date', async () => {
  const daily = (end: object) => standUp({ repeatOptions: { repeat: 'daily', timeZone: 'GMT', ...end } })
  const created = await schedule(alice, daily({ count: 10 }))
  await alice.send('POST', cancelPath(created), { cancel: 'current', occurrence: '2030-01-08T09:00:00Z' })
  const startsAfter = async (sent: object) => {
    await expectOk(alice.send('PUT', detailsPath(created), sent))
    const [read] = (await alice.send('GET', `${detailsPath(created)}?occurrences=20`)).body
    return {
      count: read.repeatOptions.count,
      days: read.occurrences.map(({ startTime }: { startTime: string }) => startTime.slice(8, 10)),
    }
  }
  const [read] = (await alice.send('GET', detailsPath(created))).body
  const allButOne = ['07', '09', '10', '11', '12', '13', '14', '15', '16']
  assert.deepEqual(await startsAfter(read), { count: 10, days: allButOne })
  assert.deepEqual(await startsAfter(daily({ count: 3 })), { count: 3, days: ['07', '09'] }, 'cancelled dates count')
  const ends = { endDate: '2030-01-10T23:00:00Z' }
  assert.deepEqual(await startsAfter(daily(ends)), { count: null, days: ['07', '09', '10'] })
})
