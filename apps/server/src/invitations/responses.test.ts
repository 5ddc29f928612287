import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cancelPath, detailsPath, type Person, schedule, standUp, weekdays } from '../../test/people.ts'
import { expectOk, expectProblem } from '../../test/replies.ts'
import { useApp } from '../../test/use-app.ts'
import type { Mail } from '../email/mail.ts'
import { maxOccurrenceResponses } from '../meetings/occurrence-response-store.ts'

const { app, clock, meet, mailsTo, addressOf } = await useApp({
  start: '2030-01-01T12:00:00Z',
  emails: 'dropped',
  environment: { RATE_LIMITS: 'off' },
})

type Meeting = { _id: string }

/** Meet Alice, who hosts, and her guests, of whom Dan has no account. */
async function meetGuests() {
  const [alice, bob, carol, mallory] = await meet('Alice', 'Bob', 'Carol', 'Mallory')
  const guests = [bob.email, carol.email, 'dan@elsewhere.example']
  return {
    alice,
    bob,
    carol,
    mallory,
    guests,
    invite: (meeting: object = standUp({ participants: [bob.email] })) => schedule(alice, meeting),
    series: () => schedule(alice, weekdays({ participants: guests })),
    /** Change a date of a series. */
    change: (meeting: Meeting, start: string, changed: object) =>
      alice.send('PUT', `${detailsPath(meeting)}/occurrences/${start}`, changed),
  }
}

const respond = (person: Person, meeting: Meeting, response: string, occurrence?: string) =>
  person.send('POST', `${detailsPath(meeting)}/response`, { response, ...(occurrence && { occurrence }) })
const answer = async (person: Person, meeting: Meeting, response: string, occurrence?: string) =>
  expectOk(respond(person, meeting, response, occurrence))

/** The participants and their responses, as a person reads them. */
async function seenBy(reader: Person, meeting: Meeting) {
  const [{ participants }] = await expectOk(reader.send('GET', detailsPath(meeting)))
  return participants.map(({ email, response }: { email: string; response?: string }) => [email, response])
}

/** A date of the series, as a person reads it. */
async function seen(person: Person, meeting: Meeting, start: string) {
  const { occurrences } = await expectOk(person.send('GET', `${detailsPath(meeting)}/occurrences?status=all`))
  return occurrences.find((one: { originalStartTime: string }) => one.originalStartTime === start)
}
const dayOf = (day: number) => `2030-01-${String(day).padStart(2, '0')}T09:00:00.000Z`
const counts = (accepted: number, tentative: number, declined: number, none: number) => ({
  accepted,
  tentative,
  declined,
  none,
})

test('Bob responds and changes his mind; he and the host see it, other participants do not', async () => {
  const { alice, bob, carol, invite } = await meetGuests()
  const meeting = await invite(standUp({ participants: [bob.email, carol.email] }))
  await mailsTo(bob)
  assert.deepEqual(await answer(bob, meeting, 'declined'), { response: 'declined' })
  await answer(bob, meeting, 'accepted')
  const responses = [
    [bob.email, 'accepted'],
    [carol.email, undefined],
  ]
  assert.deepEqual(await seenBy(alice, meeting), responses)
  assert.deepEqual(await seenBy(bob, meeting), responses)
  assert.deepEqual(await seenBy(carol, meeting), [
    [bob.email, undefined],
    [carol.email, undefined],
  ])
  const [listed] = (await expectOk(bob.send('GET', '/api/meeting/me'))).meetingDetails
  assert.equal(listed.participants[0].response, 'accepted')
  const [read] = await expectOk(alice.send('GET', detailsPath(meeting)))
  assert.equal(read.__v, 0)
  assert.deepEqual([await mailsTo(alice), await mailsTo(bob)], [[], []])
})

test('records the same response as the links of the email, and includes it in calendars', async () => {
  const { alice, bob, invite } = await meetGuests()
  const meeting = await invite(weekdays({ participants: [bob.email] }))
  const [mail] = await mailsTo(bob)
  const link = /http:\/\/parley\.test(\/answer\/\S+\/accepted)/.exec(mail?.text ?? '')?.[1] ?? 'none'
  await answer(bob, meeting, 'tentative')
  const page = await (await fetch(`${app.base}${link}`)).text()
  assert.match(page, /You said maybe/)
  const [{ pin, svcMeetId }] = await expectOk(alice.send('GET', detailsPath(meeting)))
  const [google, outlook] = [...page.matchAll(/href="(https:[^"]+)"/g)].map(([, address = '']) =>
    decodeURIComponent(address),
  )
  assert.match(google ?? '', new RegExp(`^https://calendar\\.google\\.com/.*20300107T090000Z/.*/j/${svcMeetId}`))
  assert.match(outlook ?? '', new RegExp(`^https://outlook\\.live\\.com/.*2030-01-07T09:00:00.*/j/${svcMeetId}`))
  assert.ok(!page.includes(pin), 'the PIN stays here')
  await answer(bob, meeting, 'declined')
  assert.doesNotMatch(await (await fetch(`${app.base}${link}`)).text(), /calendar\.google/)
  await answer(bob, meeting, 'tentative')
  await expectOk(alice.send('PUT', detailsPath(meeting), weekdays({ participants: [bob.email], topic: 'Walk' })))
  const [update] = await mailsTo(bob)
  assert.match(update?.calendar?.text.replaceAll('\r\n ', '') ?? '', /ATTENDEE;.*PARTSTAT=TENTATIVE.*:mailto:bob\./)
})

test('accepts a response of a cohost who is no participant', async () => {
  const { alice, carol, invite } = await meetGuests()
  const meeting = await invite(standUp({ participants: [], cohosts: [carol.email] }))
  await answer(carol, meeting, 'accepted')
  const [read] = await expectOk(alice.send('GET', detailsPath(meeting)))
  assert.equal(read.cohostDetails[0].response, 'accepted')
})

test('accepts responses of invited people only, and only valid ones', async () => {
  const { alice, bob, mallory, invite } = await meetGuests()
  const meeting = await invite()
  await expectProblem(respond(mallory, meeting, 'accepted'), 'meeting_not_found')
  await expectProblem(respond(alice, meeting, 'accepted'), 'not_invited')
  await expectProblem(respond(bob, meeting, 'needs-action'), 'invalid_request', ['/response not_allowed'])
  assert.deepEqual(await seenBy(alice, meeting), [[bob.email, undefined]])
})

test('accepts a response until the last date ends, and none to a cancelled meeting', async () => {
  const { alice, bob, invite } = await meetGuests()
  const meeting = await invite()
  clock.set('2030-01-07T09:29:59Z')
  await answer(bob, meeting, 'accepted')
  clock.set('2030-01-07T09:30:00Z')
  await expectProblem(respond(bob, meeting, 'declined'), 'meeting_over')
  clock.set('2030-01-01T12:00:00Z')
  const cancelled = await invite(weekdays({ participants: [bob.email] }))
  await alice.send('POST', `${cancelPath(cancelled)}?sendUpdates=none`, { cancel: 'all' })
  await expectProblem(respond(bob, cancelled, 'accepted'), 'meeting_cancelled')
})

test('Bob declines one date of a series that he accepts: he and the host see both, other guests see neither', async () => {
  const { alice, bob, carol, series } = await meetGuests()
  const meeting = await series()
  const given = await answer(bob, meeting, 'declined', '2030-01-09T10:00:00+01:00')
  assert.deepEqual(given, { response: 'declined', occurrence: dayOf(9) })
  await answer(bob, meeting, 'accepted')
  await answer(carol, meeting, 'tentative')

  const toHost = await seen(alice, meeting, dayOf(9))
  assert.deepEqual(toHost.responses, [{ email: bob.email, response: 'declined' }])
  assert.deepEqual(toHost.responseCounts, counts(0, 1, 1, 1))
  assert.equal(toHost.response, undefined)
  assert.deepEqual((await seen(alice, meeting, dayOf(10))).responseCounts, counts(1, 1, 0, 1))
  assert.deepEqual((await seen(alice, meeting, dayOf(10))).responses, [])

  const own = await Promise.all([9, 10].map((day) => seen(bob, meeting, dayOf(day))))
  assert.deepEqual(
    own.map(({ response }) => response),
    ['declined', 'accepted'],
  )
  const toCarol = await seen(carol, meeting, dayOf(9))
  assert.deepEqual([toCarol.response, toCarol.responses, toCarol.responseCounts], ['tentative', undefined, undefined])

  const [read] = await expectOk(alice.send('GET', `${detailsPath(meeting)}?occurrences=3`))
  assert.deepEqual(read.responseCounts, counts(1, 1, 0, 1))
  assert.deepEqual(read.occurrences[2].responseCounts, counts(0, 1, 1, 1))
  assert.equal(read.__v, 0)
  const [toBob] = await expectOk(bob.send('GET', `${detailsPath(meeting)}?occurrences=3`))
  assert.deepEqual([toBob.responseCounts, toBob.occurrences[2].response], [undefined, 'declined'])
})

test('an answer to the series leaves the answers to single dates, whichever was given first', async () => {
  const { bob, series } = await meetGuests()
  const meeting = await series()
  await answer(bob, meeting, 'declined')
  await answer(bob, meeting, 'accepted', dayOf(9))
  assert.equal((await seen(bob, meeting, dayOf(9))).response, 'accepted')
  clock.set('2030-01-01T12:01:00Z')
  await answer(bob, meeting, 'tentative')
  assert.equal((await seen(bob, meeting, dayOf(9))).response, 'accepted')
  assert.equal((await seen(bob, meeting, dayOf(10))).response, 'tentative')
  await answer(bob, meeting, 'declined', dayOf(9))
  assert.equal((await seen(bob, meeting, dayOf(9))).response, 'declined')
})

test('a date that is moved asks anew, also those who answered the series; other changes leave the answers', async () => {
  const { alice, bob, carol, series, change } = await meetGuests()
  const meeting = await series()
  await answer(bob, meeting, 'accepted')
  await answer(carol, meeting, 'accepted', dayOf(9))
  await answer(carol, meeting, 'declined', dayOf(10))
  clock.set('2030-01-01T12:01:00Z')
  await expectOk(change(meeting, dayOf(9), { topic: 'Retrospective' }))
  assert.deepEqual((await seen(alice, meeting, dayOf(9))).responseCounts, counts(2, 0, 0, 1))

  await expectOk(change(meeting, dayOf(9), { startTime: '2030-01-09T11:00:00Z' }))
  assert.deepEqual((await seen(alice, meeting, dayOf(9))).responseCounts, counts(0, 0, 0, 3))
  assert.deepEqual((await seen(alice, meeting, dayOf(10))).responseCounts, counts(1, 0, 1, 1))
  assert.equal((await seen(bob, meeting, dayOf(9))).response, undefined)
  assert.equal((await seen(bob, meeting, dayOf(10))).response, 'accepted')

  clock.set('2030-01-01T12:02:00Z')
  await answer(bob, meeting, 'tentative', dayOf(9))
  await answer(carol, meeting, 'accepted')
  assert.deepEqual((await seen(alice, meeting, dayOf(9))).responseCounts, counts(1, 1, 0, 1), 'of the series as well')
  clock.set('2030-01-01T12:03:00Z')
  await expectOk(alice.send('DELETE', `${detailsPath(meeting)}/occurrences/${dayOf(9)}`))
  assert.deepEqual((await seen(alice, meeting, dayOf(9))).responseCounts, counts(0, 0, 0, 3), 'moved back is moved')
})

test('a date that is cancelled keeps its answers for when it is restored; a series that is moved keeps none', async () => {
  const { alice, bob, guests, series } = await meetGuests()
  const meeting = await series()
  await answer(bob, meeting, 'declined', dayOf(9))
  await alice.send('POST', cancelPath(meeting), { cancel: 'current', occurrence: dayOf(9) })
  await expectProblem(respond(bob, meeting, 'accepted', dayOf(9)), 'occurrence_cancelled')
  await alice.send('POST', `${detailsPath(meeting)}/occurrences/${dayOf(9)}/restore`)
  assert.equal((await seen(bob, meeting, dayOf(9))).response, 'declined')

  await expectOk(alice.send('PUT', detailsPath(meeting), weekdays({ participants: guests, topic: 'Walk' })))
  assert.equal((await seen(bob, meeting, dayOf(9))).response, 'declined')
  const times = { startTime: '2030-01-07T10:00:00Z', endTime: '2030-01-07T10:30:00Z' }
  await alice.send('PUT', detailsPath(meeting), weekdays({ participants: guests, topic: 'Walk', ...times }))
  assert.equal((await seen(bob, meeting, '2030-01-09T10:00:00.000Z')).response, undefined)
  await alice.send('PUT', detailsPath(meeting), weekdays({ participants: guests }))
  assert.equal((await seen(bob, meeting, dayOf(9))).response, undefined)
})

test('a person who is removed and invited again has not answered', async () => {
  const { alice, bob, guests, series } = await meetGuests()
  const meeting = await series()
  await answer(bob, meeting, 'declined', dayOf(9))
  await alice.send('PUT', detailsPath(meeting), weekdays({ participants: guests.slice(1) }))
  assert.deepEqual((await seen(alice, meeting, dayOf(9))).responses, [])
  await alice.send('PUT', detailsPath(meeting), weekdays({ participants: guests }))
  assert.equal((await seen(bob, meeting, dayOf(9))).response, undefined)
})

test('takes an answer for a date of the series until it ends, by its original start', async () => {
  const { alice, bob, mallory, invite, series, change } = await meetGuests()
  const meeting = await series()
  await expectProblem(respond(bob, meeting, 'accepted', '2030-01-12T09:00:00Z'), 'occurrence_not_found')
  await expectProblem(respond(bob, meeting, 'accepted', '2030-01-09T09:00:01Z'), 'occurrence_not_found')
  await expectProblem(respond(mallory, meeting, 'accepted', dayOf(9)), 'meeting_not_found')
  await expectProblem(respond(alice, meeting, 'accepted', dayOf(9)), 'not_invited')
  await expectProblem(respond(bob, meeting, 'accepted', 'tomorrow'), 'invalid_request', ['/occurrence bad_format'])

  await change(meeting, dayOf(9), { startTime: '2030-01-09T11:00:00Z' })
  await expectProblem(respond(bob, meeting, 'accepted', '2030-01-09T11:00:00Z'), 'occurrence_not_found')
  clock.set('2030-01-09T11:29:59Z')
  await answer(bob, meeting, 'accepted', dayOf(9))
  clock.set('2030-01-09T11:30:00Z')
  await expectProblem(respond(bob, meeting, 'accepted', dayOf(9)), 'occurrence_over')
  clock.set('2030-01-01T12:00:00Z')

  const single = await invite()
  await expectProblem(respond(bob, single, 'accepted', dayOf(7)), 'occurrence_not_found')
  await alice.send('POST', cancelPath(meeting), { cancel: 'all' })
  await expectProblem(respond(bob, meeting, 'accepted', dayOf(10)), 'meeting_cancelled')
})

test('a guest answers five hundred dates ahead; past ones make room', async () => {
  const { bob, invite } = await meetGuests()
  const daily = await invite(
    standUp({ participants: [bob.email], repeatOptions: { repeat: 'daily', timeZone: 'GMT' } }),
  )
  const startOf = (index: number) => new Date(Date.parse(dayOf(7)) + index * 86_400_000)
  const values = Array.from({ length: maxOccurrenceResponses - 1 }, (_, index) => ({
    meetingId: daily._id,
    emailKey: bob.email,
    originalStart: startOf(index),
    response: 'declined' as const,
    respondedAt: clock.now(),
    recordedAt: clock.now(),
  }))
  await app.database.insertInto('occurrenceResponse').values(values).execute()
  const next = (index: number) => respond(bob, daily, 'accepted', startOf(index).toISOString())
  await expectOk(next(499))
  await expectProblem(next(500), 'too_many_responses')
  // One that is answered already.
  await expectOk(next(3))
  clock.set('2030-01-07T09:30:00Z')
  await expectOk(next(500))
  const kept = await app.database
    .selectFrom('occurrenceResponse')
    .select('originalStart')
    .where('meetingId', '=', daily._id)
    .orderBy('originalStart')
    .execute()
  assert.deepEqual([kept.length, kept[0]?.originalStart], [maxOccurrenceResponses, startOf(1)])
})

type Answer = 'accepted' | 'tentative' | 'declined'
const linkIn = (mail: Mail | undefined, answer: Answer) =>
  new RegExp(`http://parley\\.test(/answer/\\S+/${answer})`).exec(mail?.text ?? '')?.[1] ?? 'none'
const look = (path: string, headers: Record<string, string> = {}) => fetch(`${app.base}${path}`, { headers })
const press = (path: string) =>
  fetch(`${app.base}${path}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: '',
  })

test('opening the link of an email changes nothing; pressing the button records the response, and the host sees it', async () => {
  const { alice, bob, invite } = await meetGuests()
  const dan = addressOf('Dan')
  const meeting = await invite(standUp({ participants: [bob.email, dan] }))
  const [toDan] = await mailsTo(dan)
  const page = await look(linkIn(toDan, 'accepted'))
  const text = await page.text()
  assert.equal(page.status, 200)
  assert.match(text, /<h1 dir="auto">Stand-up<\/h1>/)
  assert.match(text, /Monday,? 7 January 2030, 09:00–09:30/)
  assert.deepEqual(await seenBy(alice, meeting), [
    [bob.email, undefined],
    [dan, undefined],
  ])

  const pressed = await press(linkIn(toDan, 'tentative'))
  assert.equal(pressed.status, 303)
  assert.match(await (await look(pressed.headers.get('location') ?? '')).text(), /You said maybe/)
  assert.deepEqual(await seenBy(alice, meeting), [
    [bob.email, undefined],
    [dan, 'tentative'],
  ])
  const [listed] = (await expectOk(alice.send('GET', '/api/meeting/me'))).meetingDetails
  assert.deepEqual([listed.participants[1].response, listed.__v], ['tentative', 0])
  assert.deepEqual(await seenBy(bob, meeting), [
    [bob.email, undefined],
    [dan, undefined],
  ])
})

test('the link of the first email works after updates, and calendars show the response', async () => {
  const { alice, bob, invite } = await meetGuests()
  const meeting = await invite()
  const [first] = await mailsTo(bob)
  await alice.send('PUT', detailsPath(meeting), standUp({ participants: [bob.email], topic: 'Sit-down' }))
  assert.equal((await press(linkIn(first, 'accepted'))).status, 303)
  await alice.send('PUT', detailsPath(meeting), standUp({ participants: [bob.email], topic: 'Walk' }))
  const update = (await mailsTo(bob)).at(-1)
  assert.match(update?.calendar?.text.replaceAll('\r\n ', '') ?? '', /ATTENDEE;.*PARTSTAT=ACCEPTED.*:mailto:bob\./)
  assert.deepEqual(await seenBy(alice, meeting), [[bob.email, 'accepted']])
})

test('asks a guest again when the time changes', async () => {
  const { alice, bob, invite } = await meetGuests()
  const meeting = await invite()
  const [first] = await mailsTo(bob)
  await press(linkIn(first, 'accepted'))
  const moved = { participants: [bob.email], startTime: '2030-01-08T09:00:00Z', endTime: '2030-01-08T09:30:00Z' }
  await alice.send('PUT', detailsPath(meeting), standUp(moved))
  assert.deepEqual(await seenBy(alice, meeting), [[bob.email, undefined]])
  const [update] = await mailsTo(bob)
  assert.equal(linkIn(update, 'accepted'), linkIn(first, 'accepted'))
})

test('asks to confirm the answer of the link by one button, and offers the others', async () => {
  const { bob, invite } = await meetGuests()
  await invite()
  const [mail] = await mailsTo(bob)
  const buttonsAt = async (answer: Answer) => {
    const page = await (await look(linkIn(mail, answer))).text()
    return [...page.matchAll(/<button( class="primary")?[^>]*>([^<]*)</g)].map(
      ([, isPrimary, label]) => `${label}${isPrimary ? '!' : ''}`,
    )
  }
  assert.deepEqual(await buttonsAt('declined'), ['Confirm: No!', 'Yes', 'Maybe'])
  await press(linkIn(mail, 'declined'))
  assert.deepEqual(await buttonsAt('declined'), ['Yes', 'Maybe'])
  assert.deepEqual(await buttonsAt('accepted'), ['Confirm: Yes!', 'Maybe', 'No'])
})

test('binds a link to its meeting and its person', async () => {
  const { alice, bob, carol, invite } = await meetGuests()
  const one = await invite()
  const [first] = await mailsTo(bob)
  const other = await invite(standUp({ participants: [bob.email, carol.email] }))
  const link = linkIn(first, 'accepted')
  const wrong = [
    link.replace(one._id, other._id),
    link.replace(/.(?=\/accepted$)/, (last) => (last === 'A' ? 'B' : 'A')),
    link.replace(/\/[^/]+\/accepted$/, '/x/accepted'),
    link.replace(/accepted$/, 'needs-action'),
    link.replace(one._id, 'x'),
    link.replace(/\/[^/]+\/accepted$/, '/%00/accepted'),
  ]
  for (const path of wrong) {
    assert.equal((await look(path)).status, 404, path)
    assert.equal((await press(path)).status, 404, path)
  }
  assert.deepEqual(await seenBy(alice, one), [[bob.email, undefined]])
  assert.deepEqual((await seenBy(alice, other)).flat().filter(Boolean).length, 2)
})

test('tells a removed guest, and one who responds too late, why the response is refused', async () => {
  const { alice, bob, carol, mallory, invite } = await meetGuests()
  const removed = await invite()
  const [toRemoved] = await mailsTo(bob)
  await expectOk(alice.send('PUT', detailsPath(removed), standUp({ participants: [] })))
  assert.equal((await press(linkIn(toRemoved, 'accepted'))).status, 404)

  const cancelled = await invite(weekdays({ participants: [carol.email] }))
  const [toCarol] = await mailsTo(carol)
  await expectOk(alice.send('POST', cancelPath(cancelled), { cancel: 'all' }))
  const refused = await press(linkIn(toCarol, 'accepted'))
  assert.equal(refused.status, 410)
  assert.match(await refused.text(), /over, or has been cancelled/)

  const past = await invite(standUp({ participants: [mallory.email] }))
  const [toMallory] = await mailsTo(mallory)
  clock.set('2030-01-07T09:30:00Z')
  assert.equal((await press(linkIn(toMallory, 'accepted'))).status, 410)
  assert.deepEqual(await seenBy(alice, past), [[mallory.email, undefined]])
})

test('the mail about one date asks about that date, and its link answers for nothing else', async () => {
  const { alice, bob, carol, invite, change } = await meetGuests()
  const meeting = await invite(weekdays({ participants: [bob.email, carol.email] }))
  const [first] = await mailsTo(bob)
  await press(linkIn(first, 'accepted'))
  clock.set('2030-01-01T12:01:00Z')
  await expectOk(change(meeting, '2030-01-09T09:00:00Z', { startTime: '2030-01-09T11:00:00Z', topic: 'Walk' }))
  const [update] = await mailsTo(bob)
  const link = linkIn(update, 'declined')
  const page = await (await look(link)).text()
  assert.match(page, /<h1 dir="auto">Walk<\/h1>/)
  assert.match(page, /Wednesday,? 9 January 2030, 11:00–11:30/)
  assert.match(page, /for this date only/)
  assert.doesNotMatch(page, /Every week|You said yes/)
  const numbersOfResponses = async () => {
    const { occurrences } = await expectOk(alice.send('GET', `${detailsPath(meeting)}/occurrences`))
    return occurrences.map(({ responses }: { responses: unknown[] }) => responses.length)
  }
  assert.deepEqual([...new Set(await numbersOfResponses())], [0], 'opening the link changes nothing')

  const pressed = await press(link)
  assert.equal(pressed.status, 303)
  assert.match(await (await look(pressed.headers.get('location') ?? '')).text(), /You said no/)
  assert.deepEqual((await numbersOfResponses()).slice(0, 4), [0, 0, 1, 0])
  assert.deepEqual((await seenBy(alice, meeting))[0], [bob.email, 'accepted'])

  const wrong = [
    link.replace('20300109T090000Z', '20300110T090000Z'),
    link.replace('20300109T090000Z', '2030-01-09T09:00:00Z'),
    link.replace('20300109T090000Z', '20300109T090000'),
    link.replace('/20300109T090000Z', ''),
    linkIn(first, 'accepted').replace(/\/accepted$/, '/20300109T090000Z/accepted'),
  ]
  for (const other of wrong) {
    assert.equal((await look(other)).status, 404, other)
    assert.equal((await press(other)).status, 404, other)
  }
  await alice.send('POST', cancelPath(meeting), { cancel: 'current', occurrence: '2030-01-09T09:00:00Z' })
  assert.equal((await press(link)).status, 410)
})

test('shows the page of an answer in the language of the email, right to left where it is so', async () => {
  const { bob, invite } = await meetGuests()
  await bob.send('PUT', '/api/my_profile', { language: 'ar' })
  await invite(standUp({ topic: '<b>Bold</b>', participants: [bob.email] }))
  const [first] = await mailsTo(bob)
  const text = await (await look(linkIn(first, 'accepted'), { 'accept-language': 'de' })).text()
  assert.match(text, /<html lang="ar" dir="rtl">/)
  assert.match(text, /&lt;b&gt;Bold/)
  assert.match(await (await look('/answer/x/y/accepted', { 'accept-language': 'de' })).text(), /<html lang="de">/)
})

test('the page of an answer refuses other methods', async () => {
  const { bob, invite } = await meetGuests()
  await invite()
  const [first] = await mailsTo(bob)
  const answer = await fetch(`${app.base}${linkIn(first, 'accepted')}`, { method: 'PUT' })
  assert.equal(answer.status, 405)
})
