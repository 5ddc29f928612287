import assert from 'node:assert/strict'
import { test } from 'node:test'
import { detailsPath, meetPeople, schedule, sendRequest, standUp, weekdays } from '../../test/people.ts'
import { expectOk, expectProblem } from '../../test/replies.ts'
import { startApp } from '../../test/start-app.ts'

const app = await startApp({ emails: 'dropped', environment: { RATE_LIMITS: 'off' } })
const people = await meetPeople(app)

test('returns the whole meeting in a wrapper', async () => {
  const { alice, bob } = people
  const reply = await alice.send('POST', '/api/meeting', standUp({ cohosts: ['Dave@example.org'] }))
  const body = await expectOk(reply)
  assert.equal(body.status, 'Meeting created successfully.')
  const { _id, svcMeetId, pin, createdOn, modifiedOn, ...rest } = body.meetingDetails
  assert.match(_id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  assert.match(svcMeetId, /^[1-8]\d{9}$/)
  assert.match(pin, /^[23456789abcdefghjkmnpqrstuvwxyz]{6}$/)
  assert.equal(createdOn, modifiedOn)
  assert.equal(reply.headers.get('etag'), '"v0"')
  assert.deepEqual(rest, {
    meetingUrl: `http://parley.test/j/${svcMeetId}#pin=${pin}`,
    addToSvcUrl: `http://parley.test/add/${svcMeetId}#pin=${pin}`,
    topic: 'Stand-up',
    description: '',
    location: '',
    startTime: '2030-01-07T09:00:00.000Z',
    endTime: '2030-01-07T09:30:00.000Z',
    scheduledDuration: 1_800_000,
    participants: [{ email: 'bob@example.org', userId: bob.profile._id, name: 'Bob', lname: 'Test', phoneNo: '' }],
    cohosts: ['Dave@example.org'],
    cohostDetails: [{ email: 'Dave@example.org' }],
    advancedOptions: {
      hostVideo: true,
      participantVideo: true,
      hostAudio: true,
      participantAudio: true,
      participantHardAudioMute: false,
      waitingRoom: false,
      joinBeforeHost: true,
      isRestrictedMeeting: false,
      loggedInOnly: false,
      colleagueOnly: false,
    },
    isPinEnabled: true,
    repeatOptions: {
      repeat: 'none',
      interval: null,
      daysOfWeek: [0, 0, 0, 0, 0, 0, 0],
      dateInMonth: 0,
      lastDayOfMonth: false,
      weeksInMonth: [0, 0, 0, 0, 0],
      endDate: null,
      count: null,
      repeatUntill: null,
      timeZone: 'GMT',
      timeZoneIana: 'Etc/UTC',
    },
    reminderMinutes: null,
    writtenBy: { topic: 'you', description: 'you', location: 'you' },
    status: 'active',
    recur: false,
    createdBy: alice.profile._id,
    modifiedBy: alice.profile._id,
    userId: alice.profile._id,
    tenantId: alice.profile.tenantId,
    roomId: rest.roomId,
    __v: 0,
    notificationsSend: { invitationMail: false, reminderMail: false, cancellationMail: false },
    isDynamicRoom: false,
    isForOutlook: false,
    editOptions: { singleEvent: false },
    isTvPublish: { enabled: false },
    fblivestream: { enabled: false, streaming: false },
    ytlivestream: { enabled: false, streaming: false },
    customlivestream: { enabled: false, streaming: false },
    webinar: {
      enabled: false,
      broadcasting: false,
      qnaTimeLimit: 3,
      options: {
        ticker: { enabled: false },
        thankYouMsg: { enabled: false },
        quesAns: false,
        practiceSession: false,
        allowGuests: false,
        onDemand: false,
        record: false,
        comments: false,
      },
      registration: { enabled: false, autoApprove: false, closeBeforeDays: 0 },
      webinarPortal: { enabled: false },
    },
  })
})

test('accepts the bare token and the Bearer form, and nothing else', async () => {
  const { alice } = people
  for (const authorization of [alice.token, `Bearer ${alice.token}`, `bearer ${alice.token}`]) {
    assert.equal(
      (await sendRequest(app, 'POST', '/api/meeting', standUp(), { authorization })).status,
      200,
      authorization,
    )
  }
  const none = await sendRequest(app, 'POST', '/api/meeting', standUp())
  await expectProblem(none, 'unauthorized')
  assert.match(String(none.headers.get('www-authenticate')), /^Bearer resource_metadata=/)
  await expectProblem(
    sendRequest(app, 'POST', '/api/meeting', standUp(), { authorization: `Basic ${alice.token}` }),
    'unauthorized',
  )
})

for (const field of Object.keys(standUp())) {
  test(`refuses a meeting without ${field}`, async () => {
    const { [field]: _, ...rest } = standUp() as Record<string, unknown>
    const answer = await people.alice.send('POST', '/api/meeting', rest)
    await expectProblem(answer, 'invalid_request')
    assert.match(answer.headers.get('content-type') ?? '', /^application\/problem\+json/)
    await expectProblem(answer, 'invalid_request', [`/${field} required`])
    assert.equal(answer.body.requestId, answer.headers.get('x-request-id'))
  })
}

const wrongTypes = {
  topic: 7,
  startTime: 1893488400,
  endTime: null,
  participants: 'bob@example.org',
  description: null,
  advancedOptions: [],
  isPinEnabled: 'true',
  repeatOptions: 'none',
  cohosts: {},
}
for (const [field, value] of Object.entries(wrongTypes)) {
  test(`refuses ${field} as ${JSON.stringify(value)}`, async () => {
    await expectProblem(people.alice.send('POST', '/api/meeting', standUp({ [field]: value })), 'invalid_request', [
      `/${field} wrong_type`,
    ])
  })
}

const wrongInside = [
  [{ advancedOptions: { waitingRoom: 1 } }, '/advancedOptions/waitingRoom wrong_type'],
  [{ participants: ['bob@example.org', 5] }, '/participants/1 wrong_type'],
  [{ participants: ['bob@example.org', { name: 'Bob' }] }, '/participants/1 wrong_type'],
  [{ participants: ['no address'] }, '/participants/0 bad_format'],
  [{ participants: [{ email: 'no address' }] }, '/participants/0/email bad_format'],
  [{ isPinEnabled: false }, '/isPinEnabled must_be_true'],
  [{ repeatOptions: {} }, '/repeatOptions/repeat required'],
  [{ repeatOptions: { repeat: 'yearly' } }, '/repeatOptions/repeat not_allowed'],
  [{ repeatOptions: { repeat: 'daily', interval: '2' } }, '/repeatOptions/interval wrong_type'],
  [{ repeatOptions: { repeat: 'none', timeZone: 'Mars/Base' } }, '/repeatOptions/timeZone unknown_time_zone'],
  [{ topic: 'half \ud800' }, '/topic lone_surrogate'],
  [{ topic: 'nul \0' }, '/topic control_character'],
  [{ topic: 'two\nlines' }, '/topic control_character'],
  [{ endTime: '2030-01-07T09:00:00.999Z' }, '/endTime not_after_start'],
] as const
for (const [changes, violation] of wrongInside) {
  test(`refuses ${JSON.stringify(changes)}`, async () => {
    await expectProblem(people.alice.send('POST', '/api/meeting', standUp(changes)), 'invalid_request', [violation])
  })
}

test('reports all violations at once, of the schema and of the rules', async () => {
  await expectProblem(
    people.alice.send('POST', '/api/meeting?sendUpdates=some', {
      ...standUp({ topic: 5, endTime: '2030-01-07T08:00:00Z', repeatOptions: { repeat: 'weekly', timeZone: 'XYZ' } }),
      description: undefined,
    }),
    'invalid_request',
    [
      '/description required',
      '/endTime not_after_start',
      '/repeatOptions/daysOfWeek required',
      '/repeatOptions/timeZone unknown_time_zone',
      '/sendUpdates not_allowed',
      '/topic wrong_type',
    ],
  )
})

test('reports at most a hundred violations', async () => {
  for (const flood of [
    { cohosts: Array(150).fill(5) },
    { participants: Array(150).fill(null), topic: 5 },
    { participants: Array(50_000).fill('no address'), topic: 5 },
  ]) {
    const answer = await expectProblem(people.alice.send('POST', '/api/meeting', standUp(flood)), 'invalid_request')
    assert.equal(answer.errors.length, 100)
  }
})

test('reports a field once, with the value sent', async () => {
  const repeatOptions = { repeat: 'weekly', daysOfWeek: 'MO', timeZone: 'GMT' }
  await expectProblem(people.alice.send('POST', '/api/meeting', standUp({ repeatOptions })), 'invalid_request', [
    '/repeatOptions/daysOfWeek wrong_type',
  ])
})

test('ignores unknown fields, and fields that the chosen repeat does not use', async () => {
  const meeting = await schedule(people.alice, {
    ...standUp({
      repeatOptions: {
        repeat: 'none',
        daysOfWeek: [0, 0, 0, 0, 0, 0, 0],
        dateInMonth: 26,
        endDate: '2001-01-01T00:00:00Z',
        timeZone: 'IST',
      },
    }),
    calendarOptions: { provider: 'x' },
    isClassroomMode: true,
  })
  assert.equal(meeting.repeatOptions.dateInMonth, 0)
  assert.equal(meeting.repeatOptions.endDate, null)
  assert.equal(meeting.repeatOptions.timeZone, 'IST')
  assert.equal(meeting.repeatOptions.timeZoneIana, 'Asia/Kolkata')
  assert.equal(meeting.calendarOptions, undefined)
})

test('stores instants in UTC without milliseconds, and texts as sent', async () => {
  const topic = '  Größe 😀 — "quoted" \\ <b>  '
  const meeting = await schedule(
    people.alice,
    standUp({
      topic,
      description: 'one\r\n\ttwo',
      startTime: '2030-01-07T14:30:00.987+05:30',
      endTime: '2030-01-07T09:30:00.1Z',
    }),
  )
  assert.equal(meeting.topic, topic)
  assert.equal(meeting.description, 'one\r\n\ttwo')
  assert.equal(meeting.startTime, '2030-01-07T09:00:00.000Z')
  assert.equal(meeting.endTime, '2030-01-07T09:30:00.000Z')
})

test('answers a recurring meeting with its rule, days as 0 and 1', async () => {
  const { repeatOptions, recur } = await schedule(
    people.alice,
    weekdays({
      repeatOptions: {
        repeat: 'weekly',
        daysOfWeek: [false, true, false, 1, 0, 0, 0],
        interval: null,
        timeZone: 'IST',
      },
    }),
  )
  assert.equal(recur, true)
  assert.deepEqual(repeatOptions.daysOfWeek, [0, 1, 0, 1, 0, 0, 0])
  assert.equal(repeatOptions.interval, 1)
  assert.equal(repeatOptions.endDate, null)
})

test('merges an address that is sent twice and drops the host', async () => {
  const { participants } = await schedule(
    people.alice,
    standUp({
      participants: ['Bob@Example.org', { email: 'bob@example.org' }, 'ALICE@example.org', 'eve@example.net'],
    }),
  )
  assert.deepEqual(
    participants.map(({ email }: { email: string }) => email),
    ['Bob@Example.org', 'eve@example.net'],
  )
  assert.deepEqual(Object.keys(participants[1]), ['email'])
})

test('accepts 1,000 participants and refuses 1,001', async () => {
  const guests = (count: number) => Array.from({ length: count }, (_, index) => `guest${index}@example.net`)
  const meeting = await schedule(people.alice, standUp({ participants: guests(1000) }))
  assert.equal(meeting.participants.length, 1000)
  await expectProblem(
    people.alice.send('POST', '/api/meeting', standUp({ participants: guests(1001) })),
    'invalid_request',
    ['/participants too_many'],
  )
})

test('creates one meeting for fifty simultaneous requests with one Idempotency-Key', async () => {
  const carol = people.carol
  const headers = { 'idempotency-key': 'one meeting, please' }
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => carol.send('POST', '/api/meeting', standUp({ topic: 'Once' }), headers)),
  )
  const made = answers.filter(({ status }) => status === 200)
  assert.ok(made.length >= 1)
  assert.ok(answers.every(({ status }) => status === 200 || status === 409))
  assert.equal(new Set(made.map(({ body }) => body.meetingDetails._id)).size, 1)
  const again = await carol.send('POST', '/api/meeting', standUp({ topic: 'Once' }), headers)
  assert.deepEqual(again.body, made[0]?.body)
  assert.equal(again.headers.get('etag'), '"v0"')
  assert.equal(again.headers.get('idempotency-replayed'), 'true')
  const { body } = await carol.send('GET', '/api/meeting/me')
  assert.equal(body.totalCount, 1)
})

test('binds an Idempotency-Key to its body, its caller and its endpoint; a refusal does not use it up', async () => {
  const { alice, bob } = people
  const headers = { 'idempotency-key': 'k'.repeat(255) }
  await expectProblem(alice.send('POST', '/api/meeting', standUp({ topic: '' }), headers), 'invalid_request')
  const first = await expectOk(alice.send('POST', '/api/meeting', standUp(), headers))
  await expectProblem(alice.send('POST', '/api/meeting', standUp({ topic: 'Other' }), headers), 'key_reused')
  const bobs = await bob.send('POST', '/api/meeting', standUp(), headers)
  assert.notEqual(bobs.body.meetingDetails._id, first.meetingDetails._id)
  const path = `/api/meeting/cancel/${first.meetingDetails._id}`
  await expectOk(alice.send('POST', path, { cancel: 'all' }, headers))
  for (const key of ['', 'k'.repeat(256)]) {
    await expectProblem(
      alice.send('POST', '/api/meeting', standUp(), { 'idempotency-key': key }),
      'invalid_idempotency_key',
    )
  }
})

test('stores the PIN encrypted in rows, and never logs it', async () => {
  const key = { 'idempotency-key': 'encrypted' }
  const { body } = await people.alice.send('POST', '/api/meeting', standUp(), key)
  const { pin, _id } = body.meetingDetails
  const [single] = (await people.alice.send('GET', detailsPath({ _id }))).body
  for (const table of ['meeting', 'idempotencyKey'] as const) {
    const rows = JSON.stringify(await app.database.selectFrom(table).selectAll().execute(), (_key, value) =>
      value?.type === 'Buffer' ? Buffer.from(value.data).toString('latin1') : value,
    )
    for (const secret of [pin, single.roomKey, single.vpin]) assert.equal(rows.includes(secret), false, table)
  }
  assert.equal(app.logged.join('').includes(pin), false)
})

test('stores a time zone as sent, and computes with its current name', async () => {
  const meeting = await schedule(
    people.alice,
    standUp({ repeatOptions: { repeat: 'none', timeZone: 'Asia/Calcutta' } }),
  )
  assert.equal(meeting.repeatOptions.timeZone, 'Asia/Calcutta')
  assert.equal(meeting.repeatOptions.timeZoneIana, 'Asia/Kolkata')
})

test('a series ends after a number of dates, of which it tells beside the last date', async () => {
  const repeatOptions = { repeat: 'daily', count: 3, timeZone: 'GMT' }
  const created = await schedule(people.alice, standUp({ repeatOptions }))
  assert.deepEqual([created.repeatOptions.count, created.repeatOptions.endDate], [3, '2030-01-09T23:59:59.000Z'])
  const contradicting = { ...repeatOptions, endDate: '2030-01-25T23:59:59Z' }
  await expectProblem(
    people.alice.send('POST', '/api/meeting', standUp({ repeatOptions: contradicting })),
    'invalid_request',
    ['/repeatOptions/count not_together'],
  )
})
