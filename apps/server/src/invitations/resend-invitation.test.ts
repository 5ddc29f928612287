import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gatheringMs, maxMailsToOneAddress } from '@parley/rules/invitations/mail-limits'
import { cancelPath, detailsPath, meetPeople, schedule, standUp, violationsOf, weekdays } from '../../test/people.ts'
import { createClock, startApp } from '../../test/start-app.ts'

const clock = createClock('2030-01-01T12:00:00Z')
const february = { startTime: '2030-02-07T09:00:00Z', endTime: '2030-02-07T09:30:00Z' }
const app = await startApp({ clock })
const { alice, bob, carol, mallory, olga } = await meetPeople(app)

const resend = (meeting: { _id: string }, email = 'bob@example.org', host = alice) =>
  host.send('POST', `${detailsPath(meeting)}/invitation`, { email })
const property = (calendar: string | undefined, name: string) =>
  new RegExp(`^${name}[;:](.*)$`, 'm').exec(calendar?.replaceAll('\r\n ', '').replaceAll('\r', '') ?? '')?.[1]
const invite = async (meeting: object = standUp(), host = alice) => {
  const scheduled = await schedule(host, meeting)
  const mails = await app.mails()
  clock.advance(gatheringMs)
  return { scheduled, mails }
}

test('sends one participant the current meeting again: the same UID and SEQUENCE, a newer DTSTAMP, in the same thread', async () => {
  clock.set('2030-01-02T12:00:00Z')
  const { scheduled } = await invite(standUp({ participants: ['bob@example.org', 'dan@elsewhere.example'] }))
  await alice.send('PUT', detailsPath(scheduled), standUp({ participants: ['bob@example.org'], topic: 'Walk' }))
  const [update] = (await app.mails()).filter(({ to }) => to === 'bob@example.org')
  clock.advance(gatheringMs)
  const answered = await resend(scheduled, 'BOB@example.org')
  assert.deepEqual(
    [answered.status, answered.body],
    [200, { status: 'Your request to send the invitation again is accepted.' }],
  )
  const [again, ...others] = await app.mails()
  assert.deepEqual(others, [])
  assert.deepEqual([again?.to, again?.subject], ['bob@example.org', 'Invitation: Walk'])
  for (const name of ['UID', 'SEQUENCE', 'DTSTART', 'SUMMARY', 'METHOD'])
    assert.equal(property(again?.calendar?.text, name), property(update?.calendar?.text, name), name)
  assert.ok((property(again?.calendar?.text, 'DTSTAMP') ?? '') > (property(update?.calendar?.text, 'DTSTAMP') ?? 'z'))
  assert.equal(again?.inReplyTo, update?.messageId)
  const { body } = await alice.send('GET', detailsPath(scheduled))
  assert.equal(body[0].__v, 1)
  assert.deepEqual(await app.mails(), [])
})

test('includes earlier changes without an email, and invites a guest without any email', async () => {
  clock.set('2030-01-03T12:00:00Z')
  const { scheduled } = await invite(weekdays())
  await alice.send('PUT', `${detailsPath(scheduled)}?sendUpdates=none`, weekdays({ topic: 'Walk' }))
  assert.equal((await resend(scheduled)).status, 200)
  assert.deepEqual(
    (await app.mails()).map(({ subject }) => subject),
    ['Changed: Walk'],
  )
  const quiet = await alice.send('POST', '/api/meeting?sendUpdates=none', standUp({ topic: 'Quiet' }))
  assert.equal((await resend(quiet.body.meetingDetails)).status, 200)
  const [first, ...rest] = await app.mails()
  assert.deepEqual([first?.subject, property(first?.calendar?.text, 'SEQUENCE'), rest], ['Invitation: Quiet', '0', []])
})

test('does not duplicate an email that waits for the mail server', async () => {
  clock.set('2030-01-04T12:00:00Z')
  const { body } = await alice.send('POST', '/api/meeting', standUp({ topic: 'Once' }))
  assert.equal((await resend(body.meetingDetails)).status, 200)
  assert.deepEqual(
    (await app.mails()).map(({ subject }) => subject),
    ['Invitation: Once'],
  )
})

test('refuses within two minutes of the last email, with the time', async () => {
  clock.set('2030-01-05T12:00:00Z')
  const { scheduled } = await invite()
  clock.advance(-1000)
  const early = await resend(scheduled)
  assert.deepEqual([early.status, early.body.code, early.headers.get('retry-after')], [429, 'mail_limited', '1'])
  assert.match(early.body.detail, /at 2030-01-05T12:02:00\.000Z\./)
  clock.advance(1000)
  assert.equal((await resend(scheduled)).status, 200)
  assert.equal((await app.mails()).length, 1)
})

test('allows only hosts and cohosts to send, to invited people, and while a date remains', async () => {
  clock.set('2030-01-06T12:00:00Z')
  const { scheduled } = await invite(standUp({ cohosts: ['carol@example.org'] }))
  const codeOf = async (...asked: Parameters<typeof resend>) => (await resend(...asked)).body.code
  assert.equal(await codeOf(scheduled, 'bob@example.org', bob), 'forbidden')
  assert.equal(await codeOf(scheduled, 'bob@example.org', mallory), 'meeting_not_found')
  assert.deepEqual(violationsOf(await resend(scheduled, 'mallory@example.org')), ['/email not_invited'])
  assert.equal((await resend(scheduled, 'bob@example.org', carol)).status, 200)
  assert.equal((await app.mails()).length, 1)
  clock.set('2030-01-07T09:30:00Z')
  assert.equal(await codeOf(scheduled), 'meeting_over')
  await alice.send('POST', `${cancelPath(scheduled)}?sendUpdates=none`, { cancel: 'all' })
  assert.equal(await codeOf(scheduled), 'meeting_cancelled')
  assert.deepEqual(await app.mails(), [])
})

test('keeps the daily limit of emails to one address on repeated requests', async () => {
  clock.set('2030-01-20T12:00:00Z')
  const { scheduled } = await invite(standUp({ participants: ['eve@elsewhere.example'], ...february }), olga)
  for (let sent = 1; sent < maxMailsToOneAddress; sent++) {
    assert.equal((await resend(scheduled, 'eve@elsewhere.example', olga)).status, 200)
    assert.equal((await app.mails()).length, 1)
    clock.advance(gatheringMs)
  }
  const full = await resend(scheduled, 'eve@elsewhere.example', olga)
  assert.deepEqual([full.status, full.body.code], [429, 'mail_limited'])
  assert.match(full.body.detail, /at 2030-01-21T12:00:00\.000Z\./)
  assert.deepEqual(await app.mails(), [])
  clock.set('2030-01-21T12:00:00Z')
  assert.equal((await resend(scheduled, 'eve@elsewhere.example', olga)).status, 200)
  assert.equal((await app.mails()).length, 1)
})
