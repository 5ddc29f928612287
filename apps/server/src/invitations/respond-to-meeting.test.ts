import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cancelPath, detailsPath, meetPeople, schedule, standUp, weekdays } from '../../test/people.ts'
import { createClock, startApp } from '../../test/start-app.ts'

const clock = createClock('2030-01-01T12:00:00Z')
const app = await startApp({ clock, environment: { RATE_LIMITS: 'off' } })
const { alice, bob, carol, mallory, olga } = await meetPeople(app)

const pathOf = (meeting: { _id: string }) => `${detailsPath(meeting)}/response`
const invite = async (meeting: object = standUp()) => {
  const scheduled = await schedule(alice, meeting)
  await app.mails()
  return scheduled
}
const seenBy = async (reader: typeof alice, meeting: { _id: string }) => {
  const { body } = await reader.send('GET', detailsPath(meeting))
  return body[0].participants.map(({ email, response }: { email: string; response?: string }) => [email, response])
}

test('Bob responds and changes his mind; he and the host see it, other participants do not', async () => {
  const meeting = await invite(standUp({ participants: ['bob@example.org', 'carol@example.org'] }))
  const answered = await bob.send('POST', pathOf(meeting), { response: 'declined' })
  assert.deepEqual([answered.status, answered.body], [200, { response: 'declined' }])
  assert.equal((await bob.send('POST', pathOf(meeting), { response: 'accepted' })).status, 200)
  const responses = [
    ['bob@example.org', 'accepted'],
    ['carol@example.org', undefined],
  ]
  assert.deepEqual(await seenBy(alice, meeting), responses)
  assert.deepEqual(await seenBy(bob, meeting), responses)
  assert.deepEqual(await seenBy(carol, meeting), [
    ['bob@example.org', undefined],
    ['carol@example.org', undefined],
  ])
  const { body } = await bob.send('GET', '/api/meeting/me')
  const listed = body.meetingDetails.find(({ _id }: { _id: string }) => _id === meeting._id)
  assert.equal(listed.participants[0].response, 'accepted')
  const read = await alice.send('GET', detailsPath(meeting))
  assert.equal(read.body[0].__v, 0)
  assert.deepEqual(await app.mails(), [])
})

test('records the same response as the links of the email, and includes it in calendars', async () => {
  const scheduled = await schedule(alice, weekdays())
  const [mail] = await app.mails()
  const link = /http:\/\/parley\.test(\/answer\/\S+\/accepted)/.exec(mail?.text ?? '')?.[1] ?? 'none'
  assert.equal((await bob.send('POST', pathOf(scheduled), { response: 'tentative' })).status, 200)
  assert.match(await (await fetch(`${app.base}${link}`)).text(), /You answered maybe/)
  await alice.send('PUT', detailsPath(scheduled), weekdays({ topic: 'Walk' }))
  const [update] = await app.mails()
  assert.match(update?.calendar?.text.replaceAll('\r\n ', '') ?? '', /ATTENDEE;.*PARTSTAT=TENTATIVE.*bob@example\.org/)
})

test('accepts a response of a cohost who is no participant', async () => {
  const meeting = await invite(standUp({ participants: [], cohosts: ['carol@example.org'] }))
  assert.equal((await carol.send('POST', pathOf(meeting), { response: 'accepted' })).status, 200)
  const { body } = await alice.send('GET', detailsPath(meeting))
  assert.equal(body[0].cohostDetails[0].response, 'accepted')
})

test('accepts responses of invited people only, and only valid ones', async () => {
  const meeting = await invite()
  const codeOf = async (person: typeof alice, sent: unknown) =>
    (await person.send('POST', pathOf(meeting), sent)).body.code
  assert.equal(await codeOf(mallory, { response: 'accepted' }), 'meeting_not_found')
  assert.equal(await codeOf(alice, { response: 'accepted' }), 'not_invited')
  assert.equal(await codeOf(olga, { response: 'accepted' }), 'meeting_not_found')
  assert.equal(await codeOf(bob, { response: 'needs-action' }), 'invalid_request')
  assert.equal(await codeOf(bob, {}), 'invalid_request')
  assert.deepEqual(await seenBy(alice, meeting), [['bob@example.org', undefined]])
})

test('accepts the response of a token that may join as Bob, and of no other', async () => {
  const meeting = await invite()
  const respondWith = async (scope: string) => {
    const token = await bob.send('POST', '/api/auth/tokens', { name: 'script', scopes: [scope] })
    const headers = { authorization: `Bearer ${token.body.token}` }
    return bob.send('POST', pathOf(meeting), { response: 'accepted' }, headers)
  }
  assert.equal((await respondWith('meeting:update')).body.code, 'insufficient_scope')
  assert.deepEqual(await seenBy(alice, meeting), [['bob@example.org', undefined]])
  assert.equal((await respondWith('meeting:join')).status, 200)
  assert.deepEqual(await seenBy(alice, meeting), [['bob@example.org', 'accepted']])
})

test('accepts a response until the last date ends, and none to a cancelled meeting', async () => {
  const meeting = await invite()
  clock.set('2030-01-07T09:29:59Z')
  assert.equal((await bob.send('POST', pathOf(meeting), { response: 'accepted' })).status, 200)
  clock.set('2030-01-07T09:30:00Z')
  const late = await bob.send('POST', pathOf(meeting), { response: 'declined' })
  assert.deepEqual([late.status, late.body.code], [409, 'meeting_over'])
  clock.set('2030-01-01T12:00:00Z')
  const cancelled = await invite(weekdays())
  await alice.send('POST', `${cancelPath(cancelled)}?sendUpdates=none`, { cancel: 'all' })
  const refused = await bob.send('POST', pathOf(cancelled), { response: 'accepted' })
  assert.deepEqual([refused.status, refused.body.code], [409, 'meeting_cancelled'])
})
