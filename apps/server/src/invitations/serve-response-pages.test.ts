import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cancelPath, detailsPath, meetPeople, schedule, standUp, weekdays } from '../../test/people.ts'
import { createClock, startApp } from '../../test/start-app.ts'
import type { Mail } from '../email/mail.ts'

const clock = createClock('2030-01-01T12:00:00Z')
const app = await startApp({ clock, environment: { RATE_LIMITS: 'off' } })
const { alice, bob } = await meetPeople(app)

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
const responsesOf = async (meeting: { _id: string }, reader = alice) => {
  const { body } = await reader.send('GET', detailsPath(meeting))
  return body[0].participants.map(({ email, response }: { email: string; response?: string }) => [email, response])
}
const invite = async (participants: string[], meeting: object = standUp()) => {
  const scheduled = await schedule(alice, { ...meeting, participants })
  return { meeting: scheduled, mails: await app.mails() }
}

test('opening the link changes nothing; pressing the button records the response, and the host sees it', async () => {
  const { meeting, mails } = await invite(['bob@example.org', 'dan@elsewhere.example'])
  const toDan = mails.find(({ to }) => to === 'dan@elsewhere.example')
  const page = await look(linkIn(toDan, 'accepted'))
  const text = await page.text()
  assert.equal(page.status, 200)
  assert.match(text, /<h1 dir="auto">Stand-up<\/h1>/)
  assert.match(text, /Monday,? 7 January 2030, 09:00–09:30/)
  assert.deepEqual(await responsesOf(meeting), [
    ['bob@example.org', undefined],
    ['dan@elsewhere.example', undefined],
  ])

  const pressed = await press(linkIn(toDan, 'tentative'))
  assert.equal(pressed.status, 303)
  assert.match(await (await look(pressed.headers.get('location') ?? '')).text(), /You answered maybe/)
  assert.deepEqual(await responsesOf(meeting), [
    ['bob@example.org', undefined],
    ['dan@elsewhere.example', 'tentative'],
  ])
  const { body } = await alice.send('GET', '/api/meeting/me')
  const listed = body.meetingDetails.find(({ _id }: { _id: string }) => _id === meeting._id)
  assert.equal(listed.participants[1].response, 'tentative')
  assert.deepEqual(await responsesOf(meeting, bob), [
    ['bob@example.org', undefined],
    ['dan@elsewhere.example', undefined],
  ])
  assert.equal(body.meetingDetails.find(({ _id }: { _id: string }) => _id === meeting._id).__v, 0)
})

test('the link of the first email works after updates, and the response continues to calendars', async () => {
  const { meeting, mails } = await invite(['bob@example.org'])
  await alice.send('PUT', detailsPath(meeting), standUp({ topic: 'Sit-down' }))
  await app.mails()
  assert.equal((await press(linkIn(mails[0], 'accepted'))).status, 303)
  await alice.send('PUT', detailsPath(meeting), standUp({ topic: 'Walk' }))
  const [update] = await app.mails()
  assert.match(update?.calendar?.text.replaceAll('\r\n ', '') ?? '', /ATTENDEE;.*PARTSTAT=ACCEPTED.*bob@example\.org/)
  assert.deepEqual(await responsesOf(meeting), [['bob@example.org', 'accepted']])
})

test('asks a guest again when the time changes', async () => {
  const { meeting, mails } = await invite(['bob@example.org'])
  await press(linkIn(mails[0], 'accepted'))
  const moved = { startTime: '2030-01-08T09:00:00Z', endTime: '2030-01-08T09:30:00Z' }
  await alice.send('PUT', detailsPath(meeting), standUp(moved))
  assert.deepEqual(await responsesOf(meeting), [['bob@example.org', undefined]])
  const [update] = await app.mails()
  assert.equal(linkIn(update, 'accepted'), linkIn(mails[0], 'accepted'))
})

test('binds a link to its meeting and its person', async () => {
  const one = await invite(['bob@example.org'])
  const other = await invite(['bob@example.org', 'dan@elsewhere.example'])
  const link = linkIn(one.mails[0], 'accepted')
  const wrong = [
    link.replace(one.meeting._id, other.meeting._id),
    link.replace(/.(?=\/accepted$)/, (last) => (last === 'A' ? 'B' : 'A')),
    link.replace(/\/[^/]+\/accepted$/, '/x/accepted'),
    link.replace(/accepted$/, 'needs-action'),
    link.replace(one.meeting._id, 'x'),
    link.replace(/\/[^/]+\/accepted$/, '/%00/accepted'),
  ]
  for (const path of wrong) {
    assert.equal((await look(path)).status, 404, path)
    assert.equal((await press(path)).status, 404, path)
  }
  assert.deepEqual(await responsesOf(one.meeting), [['bob@example.org', undefined]])
  assert.deepEqual((await responsesOf(other.meeting)).flat().filter(Boolean).length, 2)
})

test('tells a removed guest, and one who responds too late, why the response is refused', async () => {
  const removed = await invite(['bob@example.org'])
  await alice.send('PUT', detailsPath(removed.meeting), standUp({ participants: [] }))
  await app.mails()
  const cancelled = await invite(['bob@example.org'], weekdays())
  await alice.send('POST', cancelPath(cancelled.meeting), { cancel: 'all' })
  await app.mails()
  assert.equal((await press(linkIn(removed.mails[0], 'accepted'))).status, 404)
  const over = await press(linkIn(cancelled.mails[0], 'accepted'))
  assert.equal(over.status, 410)
  assert.match(await over.text(), /over, or has been cancelled/)
  const past = await invite(['bob@example.org'])
  clock.set('2030-01-07T09:30:00Z')
  assert.equal((await press(linkIn(past.mails[0], 'accepted'))).status, 410)
  assert.deepEqual(await responsesOf(past.meeting), [['bob@example.org', undefined]])
  clock.set('2030-01-01T12:00:00Z')
})

test('the mail about one date asks about that date, and its link answers for nothing else', async () => {
  const { meeting, mails } = await invite(['bob@example.org', 'dan@elsewhere.example'], weekdays())
  await press(linkIn(mails[0], 'accepted'))
  const path = `${detailsPath(meeting)}/occurrences/2030-01-09T09:00:00Z`
  clock.set('2030-01-01T12:01:00Z')
  await alice.send('PUT', path, { startTime: '2030-01-09T11:00:00Z', topic: 'Walk' })
  const toBob = (await app.mails()).find(({ to }) => to === 'bob@example.org')
  const link = linkIn(toBob, 'declined')
  const page = await (await look(link)).text()
  assert.match(page, /<h1 dir="auto">Walk<\/h1>/)
  assert.match(page, /Wednesday,? 9 January 2030, 11:00–11:30/)
  assert.match(page, /for this date only/)
  assert.doesNotMatch(page, /Every week|You accepted/)
  const seen = async () => {
    const { body } = await alice.send('GET', `${detailsPath(meeting)}/occurrences`)
    return body.occurrences.map(({ responses }: { responses: { response: string }[] }) => responses.length)
  }
  assert.deepEqual([...new Set(await seen())], [0], 'opening the link changes nothing')

  const pressed = await press(link)
  assert.equal(pressed.status, 303)
  assert.match(await (await look(pressed.headers.get('location') ?? '')).text(), /You declined/)
  assert.deepEqual((await seen()).slice(0, 4), [0, 0, 1, 0])
  assert.deepEqual((await responsesOf(meeting))[0], ['bob@example.org', 'accepted'])

  const wrong = [
    link.replace('20300109T090000Z', '20300110T090000Z'),
    link.replace('20300109T090000Z', '2030-01-09T09:00:00Z'),
    link.replace('20300109T090000Z', '20300109T090000'),
    link.replace('/20300109T090000Z', ''),
    linkIn(mails[0], 'accepted').replace(/\/accepted$/, '/20300109T090000Z/accepted'),
  ]
  for (const other of wrong) {
    assert.equal((await look(other)).status, 404, other)
    assert.equal((await press(other)).status, 404, other)
  }
  await alice.send('POST', cancelPath(meeting), { cancel: 'current', occurrence: '2030-01-09T09:00:00Z' })
  assert.equal((await press(link)).status, 410)
  await app.mails()
  clock.set('2030-01-01T12:00:00Z')
})

test('shows the page in the language of the email, right to left where it is so', async () => {
  await bob.send('PUT', '/api/my_profile', { language: 'ar' })
  const { mails } = await invite(['bob@example.org'], standUp({ topic: '<b>Bold</b>' }))
  const text = await (await look(linkIn(mails[0], 'accepted'), { 'accept-language': 'de' })).text()
  assert.match(text, /<html lang="ar" dir="rtl">/)
  assert.match(text, /&lt;b&gt;Bold/)
  assert.match(await (await look('/answer/x/y/accepted', { 'accept-language': 'de' })).text(), /<html lang="de">/)
})

test('refuses other methods', async () => {
  const { mails } = await invite(['carol@example.org'])
  const answer = await fetch(`${app.base}${linkIn(mails[0], 'accepted')}`, { method: 'PUT' })
  assert.equal(answer.status, 405)
})
