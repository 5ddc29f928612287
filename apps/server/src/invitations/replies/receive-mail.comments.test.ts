import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maxCommentLength } from '@parley/rules/invitations/response-comment'
import { appleReply, googleReply, outlookReply } from '../../../test/meetings/calendar-replies.ts'
import { startReplyMailbox } from '../../../test/meetings/reply-mailbox.ts'
import { detailsPath, type Person, standUp, weekdays } from '../../../test/people.ts'

const { app, clock, alice, bob, carol, invite, receive } = await startReplyMailbox()

const guestSeenBy = async (reader: Person, meeting: { _id: string }) => {
  const { body } = await reader.send('GET', detailsPath(meeting))
  return body[0].participants.find((one: { email: string }) => one.email === 'bob@example.org')
}
const commentOf = async (meeting: { _id: string }) => (await guestSeenBy(alice, meeting)).comment

test('the host reads what Bob wrote with his answer; Bob and other guests do not', async () => {
  const { meeting, replyFields } = await invite(standUp(), ['bob@example.org', 'carol@example.org'])
  const lines = ['COMMENT;LANGUAGE=en-US:Running late\\, start without me.\\n<script>alert(1)</script>']
  assert.equal(await receive(appleReply({ ...replyFields, partstat: 'TENTATIVE', lines })), 'recorded')
  assert.equal(await commentOf(meeting), 'Running late, start without me.\n<script>alert(1)</script>')
  assert.equal((await guestSeenBy(bob, meeting)).comment, undefined)
  assert.equal((await guestSeenBy(carol, meeting)).comment, undefined)
  const { body } = await alice.send('GET', '/api/meeting/me')
  assert.match(JSON.stringify(body), /start without me/)
})

test('an answer without a comment, by mail or on the page, removes the former one; so does a new time', async () => {
  const { meeting, replyFields } = await invite()
  const withComment = (stamp: string) =>
    googleReply({ ...replyFields, lines: ['COMMENT:Hello'], stamp: `20300101T12${stamp}Z` })
  clock.set('2030-01-01T12:30:00Z')
  assert.equal(await receive(withComment('0000')), 'recorded')
  assert.equal(await commentOf(meeting), 'Hello')
  assert.equal(
    await receive(outlookReply({ ...replyFields, stamp: '20300101T120500Z' })),
    'recorded',
    'with an empty COMMENT',
  )
  assert.equal(await commentOf(meeting), undefined)
  assert.equal(await receive(withComment('1000')), 'recorded')
  assert.equal(
    await receive(googleReply({ ...replyFields, lines: ['COMMENT:Old'], stamp: '20300101T120100Z' })),
    'outdated',
  )
  assert.equal(await commentOf(meeting), 'Hello')
  await bob.send('POST', `${detailsPath(meeting)}/response`, { response: 'accepted' })
  assert.equal(await commentOf(meeting), undefined)
  clock.set('2030-01-01T13:00:00Z')
  assert.equal(await receive(withComment('5900')), 'recorded')
  const moved = { startTime: '2030-01-08T09:00:00Z', endTime: '2030-01-08T09:30:00Z' }
  await alice.send('PUT', detailsPath(meeting), standUp(moved))
  assert.equal(await commentOf(meeting), undefined)
  await app.mails()
  clock.set('2030-01-01T12:00:00Z')
})

test('a comment about one date is shown with the answer to that date', async () => {
  const { meeting, replyFields } = await invite(weekdays())
  const lines = ['RECURRENCE-ID:20300108T090000Z', 'COMMENT:At the dentist']
  assert.equal(await receive(googleReply({ ...replyFields, partstat: 'DECLINED', lines })), 'recorded')
  const seen = async (reader: Person) => {
    const { body } = await reader.send('GET', `${detailsPath(meeting)}/occurrences?limit=2`)
    return body.occurrences[1]
  }
  const [answer] = (await seen(alice)).responses
  assert.deepEqual(answer, { email: 'bob@example.org', response: 'declined', comment: 'At the dentist' })
  assert.doesNotMatch(JSON.stringify(await seen(bob)), /dentist/)
  assert.equal(await commentOf(meeting), undefined)
})

test('a comment of any size and form is cut and kept as plain text', async () => {
  const { meeting, replyFields } = await invite()
  const cases: [string, string[], RegExp][] = [
    ['huge', [`COMMENT:${'x'.repeat(100_000)}`], new RegExp(`^x{${maxCommentLength - 1}}…$`)],
    ['many', Array.from({ length: 4_000 }, () => 'COMMENT:ab'), /^ab\n(ab\n)+a?b?…$/],
    [
      'html',
      ['COMMENT;ALTREP="https://evil.example/":<img src=x onerror=alert(1)>'],
      /^<img src=x onerror=alert\(1\)>$/,
    ],
    ['control', [`COMMENT:a${String.fromCharCode(0, 7, 0x202e)}b`], /^ab$/],
    ['folded', ['COMMENT:Good\r\n  day'], /^Good day$/],
    ['base64', ['COMMENT;ENCODING=BASE64;VALUE=BINARY:aGVsbG8='], /.*/],
    ['another type', ['COMMENT;VALUE=DATE-TIME:20300101T000000Z'], /.*/],
  ]
  for (const [name, lines, expected] of cases) {
    assert.equal(await receive(googleReply({ ...replyFields, lines })), 'recorded', name)
    const comment = (await commentOf(meeting)) ?? ''
    assert.match(comment, expected, name)
    assert.ok([...comment].length <= maxCommentLength, name)
  }
})
