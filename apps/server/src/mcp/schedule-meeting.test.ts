import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assistantApp, assistantToken, connectAssistant, postMcp, toolCall } from '../../test/mcp/assistant.ts'
import { tokensFor } from '../../test/oauth/token-client.ts'
import { detailsPath, type Person } from '../../test/people.ts'
import { startApp } from '../../test/start-app.ts'
import { useApp } from '../../test/use-app.ts'

const { app, clock, olga, meet } = await useApp({
  start: '2027-03-01T08:00:00Z',
  environment: { RATE_LIMITS: 'off' },
})
const [registered, rival] = [await assistantApp(app, olga), await assistantApp(app, olga, 'Rival')]
const connect = async (person: Person, through = registered, on = app) =>
  connectAssistant(on, await assistantToken(app, through, person, { clock }))

const weekly = {
  topic: 'Review',
  description: 'Bring numbers.',
  startTime: '2027-03-22T09:00',
  endTime: '2027-03-22T09:45',
  timeZone: 'Europe/Berlin',
  participants: ['bob@example.org', 'carol@example.org'],
  repeatOptions: { repeat: 'weekly', daysOfWeek: ['monday'], count: 3 },
  reminderMinutes: 15,
}

/** Meet Alice and her assistant, which proposes meetings. */
async function meetAlice() {
  const [alice] = await meet('Alice')
  const ofAlice = await connect(alice)
  return {
    alice,
    ofAlice,
    propose: async (changes: object = {}): Promise<string> =>
      (await ofAlice.done('propose_meeting', { ...weekly, ...changes })).proposal,
    meetingsOfAlice: async (): Promise<number> => (await alice.send('GET', '/api/meeting/me')).body.totalCount,
  }
}

test('schedules a weekly series across Berlin’s clock change exactly as proposed, and mails the invitations', async () => {
  const { alice, ofAlice, propose } = await meetAlice()
  const proposal = await propose()
  const { result, sentence } = await ofAlice.call('schedule_meeting', { proposal })
  assert.equal(
    sentence,
    'Scheduled “Review” on Monday, 22 March 2027, 09:00–09:45 (Europe/Berlin, +01:00), and 2 more dates. 2 people are mailed an invitation (bob@example.org, carol@example.org).',
  )
  const [read] = (await alice.send('GET', `${detailsPath({ _id: result.meetingId })}?occurrences=5`)).body
  assert.deepEqual(
    read.occurrences.map(({ startTime, endTime }: { startTime: string; endTime: string }) => [startTime, endTime]),
    [
      ['2027-03-22T08:00:00.000Z', '2027-03-22T08:45:00.000Z'],
      ['2027-03-29T07:00:00.000Z', '2027-03-29T07:45:00.000Z'],
      ['2027-04-05T07:00:00.000Z', '2027-04-05T07:45:00.000Z'],
    ],
  )
  assert.deepEqual(
    result.dates.map(({ start }: { start: { local: string; utc: string } }) => [start.local, start.utc]),
    [
      ['2027-03-22T09:00', '2027-03-22T08:00:00.000Z'],
      ['2027-03-29T09:00', '2027-03-29T07:00:00.000Z'],
      ['2027-04-05T09:00', '2027-04-05T07:00:00.000Z'],
    ],
  )
  assert.deepEqual([read.topic, read.description, read.reminderMinutes], ['Review', 'Bring numbers.', 15])
  assert.equal(read.repeatOptions.timeZoneIana, 'Europe/Berlin')
  const mails = await app.mails()
  assert.deepEqual(mails.map(({ to }) => to).toSorted(), ['bob@example.org', 'carol@example.org'])
  // As through the API, it is known which app has made it.
  const { access_token: ofApi } = await tokensFor(app, registered, alice, { clock })
  const own = await alice.send('GET', '/api/meeting/me?tpClientOnly=true', undefined, {
    authorization: `Bearer ${ofApi}`,
  })
  assert.deepEqual(
    own.body.meetingDetails.map(({ _id }: { _id: string }) => _id),
    [result.meetingId],
  )
})

test('the same proposal gives the same meeting and one set of mails, at once and again, on any instance', async () => {
  const { alice, ofAlice, propose, meetingsOfAlice } = await meetAlice()
  const before = await meetingsOfAlice()
  const other = await startApp({ clock, beside: app, environment: { RATE_LIMITS: 'off' } })
  const elsewhere = await connect(alice, registered, other)
  const proposal = await propose({ topic: 'Once' })
  const first = await ofAlice.done('schedule_meeting', { proposal })
  const repeated = await elsewhere.done('schedule_meeting', { proposal })
  assert.deepEqual(repeated, first)
  assert.equal(await meetingsOfAlice(), before + 1)
  assert.equal((await app.mails()).length, 2)

  const together = await propose({ topic: 'Together' })
  const answers = await Promise.all([1, 2, 3].map(() => elsewhere.call('schedule_meeting', { proposal: together })))
  const made = new Set(answers.filter(({ isError }) => !isError).map(({ result }) => result.meetingId))
  assert.equal(made.size, 1)
  for (const { sentence, isError } of answers)
    if (isError) assert.match(sentence, /still being answered.*key_in_flight/)
  assert.equal(await meetingsOfAlice(), before + 2)
  assert.equal((await app.mails()).length, 2)
})

test('a proposal that a program spells another way is the same proposal', async () => {
  const { ofAlice, propose, meetingsOfAlice } = await meetAlice()
  const proposal = await propose({ topic: 'Spelled' })
  const { meetingId } = await ofAlice.done('schedule_meeting', { proposal })
  const before = await meetingsOfAlice()
  await app.mails()
  for (const spelled of [
    `${proposal}\n`,
    ` ${proposal}`,
    `${proposal}=`,
    `${proposal}.`,
    `${proposal}.more`,
    `${proposal.slice(0, 20)}\n${proposal.slice(20)}`,
    proposal.replaceAll('-', '+').replaceAll('_', '/'),
  ]) {
    const { result } = await ofAlice.call('schedule_meeting', { proposal: spelled })
    assert.equal(result?.meetingId, meetingId, JSON.stringify(spelled))
  }
  assert.equal(await meetingsOfAlice(), before)
  assert.deepEqual(await app.mails(), [])
})

test('two proposals of the same are two meetings', async () => {
  const { ofAlice, propose } = await meetAlice()
  const proposals = [await propose({ participants: [] })]
  clock.advance(1)
  proposals.push(await propose({ participants: [] }))
  const ids = await Promise.all(
    proposals.map(async (proposal) => (await ofAlice.done('schedule_meeting', { proposal })).meetingId),
  )
  assert.notEqual(ids[0], ids[1])
})

test('a proposal is valid for ten minutes: at 9:59 it is, at 10:00 it has expired', async () => {
  const { ofAlice, propose } = await meetAlice()
  const proposal = await propose({ participants: [] })
  const late = await propose({ topic: 'Late', participants: [] })
  clock.advance(9 * 60_000 + 59_000)
  await ofAlice.done('schedule_meeting', { proposal })
  clock.advance(1_000)
  const refused = await ofAlice.refused('schedule_meeting', { proposal: late })
  assert.match(
    refused,
    /^proposal has expired at .* Call propose_meeting again, and show the person the new proposal\./,
  )
})

test('a proposal of another person, of another app, or one that was changed is refused', async () => {
  const [mallory] = await meet('Mallory')
  const { alice, ofAlice, propose, meetingsOfAlice } = await meetAlice()
  const proposal = await propose({ topic: 'Mine', participants: [] })
  const before = await meetingsOfAlice()
  const [payload = '', mac = ''] = proposal.split('.')
  const elsewhere = await propose({ topic: 'Another', participants: [] })
  const changed = [
    `${payload}.${elsewhere.split('.')[1]}`,
    `${elsewhere.split('.')[0]}.${mac}`,
    payload,
    `${payload}.`,
    `.${mac}`,
    '',
    'x'.repeat(10_000),
    `${proposal.slice(0, 20)}${proposal[20] === 'A' ? 'B' : 'A'}${proposal.slice(21)}`,
  ]
  for (const text of changed) {
    assert.match(
      await ofAlice.refused('schedule_meeting', { proposal: text }),
      /was changed, or was made for another person or app/,
    )
  }
  for (const stranger of [await connect(mallory), await connect(alice, rival)]) {
    assert.match(await stranger.refused('schedule_meeting', { proposal }), /another person or app/)
  }
  assert.equal(await meetingsOfAlice(), before)
  await ofAlice.done('schedule_meeting', { proposal })
})

test('a proposal without mails is scheduled without mails', async () => {
  const { ofAlice, propose } = await meetAlice()
  const proposal = await propose({ topic: 'Quiet', mailParticipants: false })
  const { sentence, result } = await ofAlice.call('schedule_meeting', { proposal })
  assert.match(sentence, /No one is mailed\.$/)
  assert.deepEqual(result.mails, [])
  assert.deepEqual(await app.mails(), [])
})

test('a proposal is short enough to be passed on', async () => {
  const { propose } = await meetAlice()
  const proposal = await propose()
  assert.ok(proposal.length < 600, `${proposal.length} characters`)
})

test('needs the scope to create', async () => {
  const { alice, propose } = await meetAlice()
  const proposal = await propose()
  const token = await assistantToken(app, registered, alice, { clock, scopes: ['meeting:read'] })
  const refused = await postMcp(app, toolCall('schedule_meeting', { proposal }), { authorization: `Bearer ${token}` })
  assert.equal(refused.status, 403)
  assert.match(String(refused.headers.get('www-authenticate')), /scope="meeting:create"/)
})

test('a meeting that a tool schedules is listed among what the app did for the person', async () => {
  const { alice, ofAlice, propose } = await meetAlice()
  const { result } = await ofAlice.call('schedule_meeting', { proposal: await propose({ topic: 'Listed' }) })
  await app.publishEvents()
  const { grants } = (await alice.send('GET', '/api/oauth2/grants')).body
  const { _id } = grants.find((grant: { app: { name: string } }) => grant.app.name === 'Assistant')
  const [newest] = (await alice.send('GET', `/api/oauth2/grants/${_id}/events`)).body.events
  assert.deepEqual([newest.type, newest.data.meetingId], ['meeting.created', result.meetingId])
  await app.mails()
})
