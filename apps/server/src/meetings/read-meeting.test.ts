import assert from 'node:assert/strict'
import { test } from 'node:test'
import { colourOf } from '@parley/rules/meetings/meeting-colour'
import { detailsPath, schedule, standUp, weekdays } from '../../test/people.ts'
import { expectOk, expectProblem } from '../../test/replies.ts'
import { useApp } from '../../test/use-app.ts'

const { clock, olga, meet } = await useApp({
  emails: 'dropped',
  environment: { GATEWAY_IP: '203.0.113.7', PRIVATE_IP: '10.0.0.7' },
  start: '2030-01-01T00:00:00Z',
})

test('returns an array of one meeting, with the data that the caller needs to enter', async () => {
  const [alice] = await meet('Alice')
  const created = await schedule(alice)
  const reply = await alice.send('GET', detailsPath(created))
  const body = await expectOk(reply)
  assert.deepEqual([reply.headers.get('etag'), body.length], ['"v0"', 1])
  const { url, extension, roomKey, roomUrl, vpin, gatewayIp, privateIp, hostInfo, ...others } = body[0]
  const { continues, continuedBy, responseCounts, colour, ...rest } = others
  assert.deepEqual([continues, continuedBy], [null, null])
  assert.deepEqual(rest, created)
  assert.equal(colour, colourOf({ id: created._id, colourSeed: null, ownColour: null }))
  assert.equal(url, created.meetingUrl)
  assert.equal(extension, '')
  assert.match(roomKey, /^[\w-]{43}$/)
  assert.equal(roomUrl, `http://parley.test/j/${created.svcMeetId}#key=${roomKey}`)
  assert.match(vpin, /^\d{8}$/)
  assert.deepEqual([gatewayIp, privateIp], ['203.0.113.7', '10.0.0.7'])
  assert.deepEqual(hostInfo, { name: 'Alice', lname: 'Test', email: alice.email, phoneNo: '' })
  assert.deepEqual(responseCounts, { accepted: 0, tentative: 0, declined: 0, none: 1 })
})

test('shows a participant the meeting without the fields for the host', async () => {
  const [alice, bob] = await meet('Alice', 'Bob')
  await bob.send('PUT', '/api/my_profile', { phoneNo: '+44 20 7946 0000' })
  await alice.send('PUT', '/api/my_profile', { phoneNo: '+44 20 7946 0001' })
  const created = await schedule(alice, standUp({ participants: [bob.email] }))
  const [seen] = (await bob.send('GET', detailsPath(created))).body
  assert.deepEqual([seen.roomKey, seen.roomUrl, seen.vpin, seen.hostInfo.phoneNo], ['', '', '', ''])
  assert.equal(seen.participants[0].phoneNo, '+44 20 7946 0000', 'his own')
  assert.equal(seen.pin, created.pin)
  const [own] = (await alice.send('GET', detailsPath(created))).body
  assert.equal(own.hostInfo.phoneNo, '+44 20 7946 0001')
  assert.equal(own.participants[0].phoneNo, '+44 20 7946 0000')
})

test('shows a cohost the same as the host, and an administrator topic, times, host and counts', async () => {
  const [alice, carol] = await meet('Alice', 'Carol')
  const created = await schedule(alice, standUp({ cohosts: [carol.email], description: 'About Bob' }))
  const [asCohost] = (await carol.send('GET', detailsPath(created))).body
  assert.match(asCohost.roomKey, /^[\w-]{43}$/)
  const [asAdministrator] = (await olga.send('GET', detailsPath(created))).body
  const { _id, topic, description, startTime, svcMeetId, pin, url, meetingUrl, addToSvcUrl, roomKey, vpin } =
    asAdministrator
  assert.deepEqual([_id, topic, startTime], [created._id, created.topic, created.startTime])
  assert.deepEqual([description, svcMeetId, pin, url, meetingUrl, addToSvcUrl, roomKey, vpin], Array(8).fill(''))
  const { participants, cohosts, cohostDetails, hostInfo, responseCounts } = asAdministrator
  assert.deepEqual([participants, cohosts, cohostDetails], [[], [], []])
  assert.deepEqual([hostInfo.email, responseCounts.none], [alice.email, asCohost.responseCounts.none])
})

test('is not found for a stranger, whatever the id', async () => {
  const [alice, mallory] = await meet('Alice', 'Mallory')
  const created = await schedule(alice)
  for (const _id of [created._id, '00000000-0000-7000-8000-000000000000', 'x', created._id.toUpperCase(), '%00']) {
    await expectProblem(mallory.send('GET', detailsPath({ _id })), 'meeting_not_found')
  }
})

test('shows simultaneous readers only their own view of the meeting that they requested', async () => {
  const [alice, bob, mallory] = await meet('Alice', 'Bob', 'Mallory')
  const [first, second] = [
    await schedule(alice, standUp({ participants: [bob.email] })),
    await schedule(bob, standUp({ topic: 'Bob’s own', participants: [] })),
  ]
  const readers = Array.from({ length: 20 }, () => [
    { person: alice, meeting: first, seen: [200, 'Stand-up', true] },
    { person: bob, meeting: first, seen: [200, 'Stand-up', false] },
    { person: mallory, meeting: first, seen: [404, undefined, false] },
    { person: bob, meeting: second, seen: [200, 'Bob’s own', true] },
    { person: alice, meeting: second, seen: [404, undefined, false] },
  ]).flat()
  const answers = await Promise.all(readers.map(({ person, meeting }) => person.send('GET', detailsPath(meeting))))
  assert.deepEqual(
    answers.map(({ status, body }) => [status, body[0]?.topic, Boolean(body[0]?.roomKey)]),
    readers.map(({ seen }) => seen),
  )
})

test('adds the next occurrences when requested, starting with a running one', async () => {
  const [alice, bob] = await meet('Alice', 'Bob')
  const created = await schedule(alice, weekdays({ participants: [bob.email] }))
  clock.set('2030-01-08T09:15:00Z')
  const [{ occurrences }] = (await bob.send('GET', `${detailsPath(created)}?occurrences=3`)).body
  const expected = ['2030-01-08', '2030-01-09', '2030-01-10'].map((day) => ({
    startTime: `${day}T09:00:00.000Z`,
    endTime: `${day}T09:30:00.000Z`,
    originalStartTime: `${day}T09:00:00.000Z`,
    status: 'active',
  }))
  assert.deepEqual(occurrences, expected)
})

test('expands an open series to at most a hundred dates', async () => {
  const [alice] = await meet('Alice')
  const created = await schedule(alice, weekdays({ repeatOptions: { repeat: 'daily', timeZone: 'BST' } }))
  const read = (count: string) => alice.send('GET', `${detailsPath(created)}?occurrences=${count}`)
  assert.equal((await expectOk(read('0')))[0].occurrences.length, 0)
  assert.equal((await expectOk(read('100')))[0].occurrences.length, 100)
  await expectProblem(read('101'), 'invalid_request', ['/occurrences too_large'])
  await expectProblem(read('-1'), 'invalid_request', ['/occurrences too_small'])
  await expectProblem(read('ten'), 'invalid_request', ['/occurrences wrong_type'])
  await expectProblem(read('1.5'), 'invalid_request', ['/occurrences wrong_type'])
})

test('keeps 09:00 in London at 09:00 when the clocks change', async () => {
  const [alice] = await meet('Alice')
  const created = await schedule(
    alice,
    standUp({
      startTime: '2030-03-30T09:00:00Z',
      endTime: '2030-03-30T10:00:00Z',
      repeatOptions: { repeat: 'daily', timeZone: 'BST' },
    }),
  )
  const [{ occurrences }] = (await alice.send('GET', `${detailsPath(created)}?occurrences=2`)).body
  assert.deepEqual(
    occurrences.map(({ startTime }: { startTime: string }) => startTime),
    ['2030-03-30T09:00:00.000Z', '2030-03-31T08:00:00.000Z'],
  )
})
