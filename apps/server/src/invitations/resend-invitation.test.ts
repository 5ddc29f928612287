import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gatheringMs, maxMailsToOneAddressOnFirstDay } from '@parley/rules/invitations/mail-limits'
import { subjectOf } from '../../test/mailbox.ts'
import { cancelPath, detailsPath, schedule, standUp, weekdays } from '../../test/people.ts'
import { expectOk, expectProblem } from '../../test/replies.ts'
import { useApp } from '../../test/use-app.ts'

const { app, clock, meet, mailsTo, addressOf } = await useApp({ start: '2030-01-01T12:00:00Z' })

/** Meet Alice, who invites Bob and may send the invitation again. */
async function meetHost() {
  const [alice, bob, carol, mallory] = await meet('Alice', 'Bob', 'Carol', 'Mallory')
  return {
    alice,
    bob,
    carol,
    mallory,
    withBob: (changes: object = {}) => standUp({ participants: [bob.email], ...changes }),
    resend: (meeting: { _id: string }, email = bob.email, host = alice) =>
      host.send('POST', `${detailsPath(meeting)}/invitation`, { email }),
    /** Schedule a meeting whose invitations are sent, and wait until another email may be. */
    async invite(meeting: object, guest = bob.email) {
      const scheduled = await schedule(alice, meeting)
      assert.equal((await mailsTo(guest)).length, 1)
      clock.advance(gatheringMs)
      return scheduled
    },
  }
}

const property = (calendar: string | undefined, name: string) =>
  new RegExp(`^${name}[;:](.*)$`, 'm').exec(calendar?.replaceAll('\r\n ', '').replaceAll('\r', '') ?? '')?.[1]
test('sends one participant the current meeting again: the same UID and SEQUENCE, a newer DTSTAMP, in the same thread', async () => {
  const { alice, bob, carol, withBob, resend, invite } = await meetHost()
  const scheduled = await invite(withBob({ participants: [bob.email, carol.email] }))
  await expectOk(alice.send('PUT', detailsPath(scheduled), withBob({ topic: 'Walk' })))
  const [update] = await mailsTo(bob)
  // Her invitation, and that she is no longer invited.
  assert.equal((await mailsTo(carol)).length, 2)
  clock.advance(gatheringMs)
  const answer = await expectOk(resend(scheduled, bob.email.toUpperCase()))
  assert.deepEqual(answer, { status: 'Your request to send the invitation again is accepted.' })
  const [again, ...others] = await app.mails()
  assert.deepEqual(others, [])
  assert.deepEqual([again?.to, subjectOf(again)], [bob.email, 'Invitation: Walk'])
  for (const name of ['UID', 'SEQUENCE', 'DTSTART', 'SUMMARY', 'METHOD'])
    assert.equal(property(again?.calendar?.text, name), property(update?.calendar?.text, name), name)
  assert.ok((property(again?.calendar?.text, 'DTSTAMP') ?? '') > (property(update?.calendar?.text, 'DTSTAMP') ?? 'z'))
  assert.equal(again?.inReplyTo, update?.messageId)
  const [read] = await expectOk(alice.send('GET', detailsPath(scheduled)))
  assert.equal(read.__v, 1)
  assert.deepEqual(await app.mails(), [])
})

test('includes earlier changes without an email, and invites a guest without any email', async () => {
  const { alice, bob, withBob, resend, invite } = await meetHost()
  const series = (topic: string) => weekdays({ participants: [bob.email], topic })
  const scheduled = await invite(series('Stand-up'))
  await expectOk(alice.send('PUT', `${detailsPath(scheduled)}?sendUpdates=none`, series('Walk')))
  await expectOk(resend(scheduled))
  assert.deepEqual((await app.mails()).map(subjectOf), ['Changed: Walk'])
  const quiet = await expectOk(alice.send('POST', '/api/meeting?sendUpdates=none', withBob({ topic: 'Quiet' })))
  await expectOk(resend(quiet.meetingDetails))
  const [first, ...rest] = await app.mails()
  assert.deepEqual(
    [subjectOf(first), property(first?.calendar?.text, 'SEQUENCE'), rest],
    ['Invitation: Quiet', '0', []],
  )
})

test('does not duplicate an email that waits for the mail server', async () => {
  const { alice, withBob, resend } = await meetHost()
  await expectOk(resend(await schedule(alice, withBob({ topic: 'Once' }))))
  assert.deepEqual((await app.mails()).map(subjectOf), ['Invitation: Once'])
})

test('refuses within two minutes of the last email, with the time', async () => {
  const { withBob, resend, invite } = await meetHost()
  const scheduled = await invite(withBob())
  clock.advance(-1000)
  const early = await resend(scheduled)
  const { detail } = await expectProblem(early, 'mail_limited')
  assert.match(detail, /at 2030-01-01T12:02:00\.000Z\./)
  assert.equal(early.headers.get('retry-after'), '1')
  clock.advance(1000)
  await expectOk(resend(scheduled))
  assert.equal((await app.mails()).length, 1)
})

test('allows only hosts and cohosts to send, to invited people, and while a date remains', async () => {
  const { alice, bob, carol, mallory, withBob, resend, invite } = await meetHost()
  const scheduled = await invite(withBob({ cohosts: [carol.email] }))
  assert.equal((await mailsTo(carol)).length, 1)
  await expectProblem(resend(scheduled, bob.email, bob), 'forbidden')
  await expectProblem(resend(scheduled, bob.email, mallory), 'meeting_not_found')
  await expectProblem(resend(scheduled, mallory.email), 'invalid_request', ['/email not_invited'])
  await expectOk(resend(scheduled, bob.email, carol))
  assert.equal((await app.mails()).length, 1)
  clock.set('2030-01-07T09:30:00Z')
  await expectProblem(resend(scheduled), 'meeting_over')
  await expectOk(alice.send('POST', `${cancelPath(scheduled)}?sendUpdates=none`, { cancel: 'all' }))
  await expectProblem(resend(scheduled), 'meeting_cancelled')
  assert.deepEqual(await app.mails(), [])
})

test('keeps the daily limit of emails to one address on repeated requests', async () => {
  const { resend, invite } = await meetHost()
  const eve = addressOf('Eve')
  const february = { startTime: '2030-02-07T09:00:00Z', endTime: '2030-02-07T09:30:00Z' }
  const scheduled = await invite(standUp({ participants: [eve], ...february }), eve)
  for (let sent = 1; sent < maxMailsToOneAddressOnFirstDay; sent++) {
    await expectOk(resend(scheduled, eve))
    assert.equal((await app.mails()).length, 1)
    clock.advance(gatheringMs)
  }
  const { detail } = await expectProblem(resend(scheduled, eve), 'mail_limited')
  assert.match(detail, /at 2030-01-02T12:00:00\.000Z\./)
  assert.deepEqual(await app.mails(), [])
  clock.set('2030-01-02T12:00:00Z')
  await expectOk(resend(scheduled, eve))
  assert.equal((await app.mails()).length, 1)
})
