import assert from 'node:assert/strict'
import { test } from 'node:test'
import { calendarProperty } from '../../test/mailbox.ts'
import { detailsPath, type Person, schedule, standUp } from '../../test/people.ts'
import { expectOk, expectProblem } from '../../test/replies.ts'
import { useApp } from '../../test/use-app.ts'

const { app, clock, meet, addressOf, mailsTo } = await useApp({ environment: { RATE_LIMITS: 'off' } })

type Named = { email: string; displayName?: string; userId?: string }

const read = async (person: Person, meeting: { _id: string }) =>
  (await expectOk(person.send('GET', detailsPath(meeting))))[0]
const namesIn = ({ participants }: { participants: Named[] }) =>
  participants.map(({ email, displayName }) => `${displayName ?? '–'} ${email.split('.')[0]}`)

test('a name that is sent with an address stands in replies, in the mail and in its calendar', async () => {
  const [alice] = await meet('Alice')
  const [dan, eve, fay] = [addressOf('dan'), addressOf('eve'), addressOf('fay')]
  const meeting = await schedule(
    alice,
    standUp({
      participants: [`"Novák, Dan" <${dan}>`, { email: eve, displayName: '  Eve   "the" Moore ' }, fay],
    }),
  )
  assert.deepEqual(namesIn(meeting), ['Novák, Dan dan', 'Eve "the" Moore eve', '– fay'])
  assert.deepEqual(namesIn(await read(alice, meeting)), namesIn(meeting))

  const [toDan] = await mailsTo(dan)
  assert.equal(toDan?.toName, 'Novák, Dan')
  assert.match(calendarProperty(toDan, 'ATTENDEE') ?? '', /^CN="Novák, Dan";.*:mailto:dan/)
  assert.match(toDan?.text ?? '', /Eve "the" Moore \(eve\.\d+@example\.org\)/, 'never without the address')
  const [toEve] = await mailsTo(eve)
  // RFC 6868: a quotation mark in a parameter is ^'.
  assert.match(calendarProperty(toEve, 'ATTENDEE') ?? '', /^CN="?Eve \^'the\^' Moore"?;/)
  const [toFay] = await mailsTo(fay)
  assert.equal(toFay?.toName, '')
  assert.doesNotMatch(calendarProperty(toFay, 'ATTENDEE') ?? '', /CN=/)
})

test('another name mails no one and is an event; an address alone keeps the name, an empty name removes it', async () => {
  const [alice] = await meet('Alice')
  const dan = addressOf('dan')
  const meeting = await schedule(alice, standUp({ participants: [`Dan <${dan}>`] }))
  await mailsTo(dan)
  clock.advance(10 * 60_000)
  const update = async (participant: unknown) => {
    const body = await expectOk(alice.send('PUT', detailsPath(meeting), standUp({ participants: [participant] })))
    return namesIn(body)[0]
  }
  assert.equal(await update(`Daniel Novák <${dan}>`), 'Daniel Novák dan')
  assert.equal(await update(dan), 'Daniel Novák dan')
  assert.equal(await update({ email: dan, name: 'Somebody', displayName: 'Daniel Novák' }), 'Daniel Novák dan')
  assert.equal(await update({ email: dan, displayName: '' }), '– dan')
  assert.deepEqual(await mailsTo(dan), [])
  const { rows } = await app.pool.query(
    `select data -> 'changed' as changed from event where type = 'meeting.updated' and meeting_id = $1 order by id`,
    [meeting._id],
  )
  assert.deepEqual(
    rows.map(({ changed }) => changed),
    [['participants'], ['participants']],
  )
})

test('what a host calls a colleague replaces neither their name nor what they read of themselves', async () => {
  const [alice, bob] = await meet('Alice', 'Bob')
  const meeting = await schedule(alice, standUp({ participants: [`The boss <${bob.email}>`] }))
  const [person] = (await read(alice, meeting)).participants
  assert.deepEqual([person.name, person.lname, person.displayName], ['Bob', 'Test', 'The boss'])
  const [toBob] = await mailsTo(bob)
  assert.equal(toBob?.toName, 'Bob Test')
  assert.match(calendarProperty(toBob, 'ATTENDEE') ?? '', /^CN="Bob Test";/)
})

test('a name that reads as another address, a link or a header is refused; a repeated address is no name', async () => {
  const [alice] = await meet('Alice')
  const dan = addressOf('dan')
  for (const [participant, refused] of [
    [`ceo@bank.example <${dan}>`, '/participants/0 not_a_name'],
    [{ email: dan, displayName: 'https://bank.example' }, '/participants/0/displayName not_a_name'],
    [{ email: dan, displayName: 'Dan\r\nBcc: eve@example.org' }, '/participants/0/displayName control_character'],
    [{ email: dan, displayName: 'x'.repeat(101) }, '/participants/0/displayName too_long'],
    ['Dan <nobody>', '/participants/0 bad_format'],
  ] as const) {
    const sent = standUp({ participants: [participant] })
    await expectProblem(alice.send('POST', '/api/meeting', sent), 'invalid_request', [refused])
  }
  const meeting = await schedule(alice, standUp({ participants: [`"${dan}" <${dan}>`] }))
  assert.deepEqual(namesIn(meeting), ['– dan'])
  await mailsTo(dan)
})

test('people are found and suggested by the name, and the host reads it with an answer', async () => {
  const [alice] = await meet('Alice')
  const dan = addressOf('dan')
  await schedule(alice, standUp({ participants: [`Zebedee Novák <${dan}>`] }))
  await mailsTo(dan)
  const suggested = await expectOk(alice.send('GET', '/api/people?q=zebe'))
  assert.deepEqual(
    suggested.people.map(({ name, email }: { name: string; email: string }) => [name, email]),
    [['Zebedee Novák', dan]],
  )
  for (const [q, count] of [
    ['ZEBED', 1],
    ['zebedee m', 0],
    ['%', 0],
  ] as const) {
    const found = await expectOk(alice.send('GET', `/api/meeting/agenda?${new URLSearchParams({ q })}`))
    assert.equal(found.dates.length, count, q)
  }
  const { dates } = await expectOk(alice.send('GET', '/api/meeting/agenda'))
  assert.deepEqual(dates?.[0]?.people ?? [], ['Zebedee Novák'])
})
