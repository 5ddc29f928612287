import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFeed } from '../../../test/calendar-feeds.ts'
import { googleReply } from '../../../test/meetings/calendar-replies.ts'
import { factsOf, organizerIn, replyAddressIn, startReplyMailbox, toBob } from '../../../test/meetings/reply-mailbox.ts'
import { detailsPath, type Person, standUp } from '../../../test/people.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { stopReminders } from '../reminder-stop/stopped-reminder-store.ts'

const { app, clock, alice, bob, invite, receive } = await startReplyMailbox()

test('each guest is invited by an address of their own, which names the host and fits a local part', async () => {
  const { mails } = await invite(standUp(), ['bob@example.org', 'dan@elsewhere.example'])
  const lines = mails.map(({ calendar }) => organizerIn(calendar?.text))
  for (const line of lines) {
    assert.match(
      line,
      /^ORGANIZER;CN="Alice Test";EMAIL="alice@example\.org";SENT-BY="mailto:meet@acme\.example":mailto:rsvp\+[0-9a-v]{32}@meet\.example\.org$/,
    )
  }
  assert.equal(new Set(lines).size, 2)
})

test('a guest’s own session reads the address that takes answers; the host reads their own', async () => {
  const { meeting, facts } = await invite()
  const read = async ({ token }: { token: string }) =>
    (
      await fetch(`${app.base}${detailsPath(meeting)}/invite.ics`, { headers: { authorization: `Bearer ${token}` } })
    ).text()
  assert.equal(replyAddressIn(await read(bob)), facts.to)
  assert.equal(replyAddressIn(await read(alice)), 'alice@example.org')
})

test('nothing that a token, an app or the address of a calendar reads takes answers', async () => {
  const { meeting } = await invite()
  const personal = await bob.send('POST', '/api/auth/tokens', { name: 'script', scopes: ['meeting:read'] })
  const authorization = `Bearer ${personal.body.token}`
  const feed = await createFeed(bob)
  const paths = [
    `${detailsPath(meeting)}/invite.ics`,
    detailsPath(meeting),
    `${detailsPath(meeting)}/occurrences`,
    '/api/meeting/me',
    '/api/events',
  ]
  const texts = await Promise.all([
    ...paths.map(async (path) => (await fetch(`${app.base}${path}`, { headers: { authorization } })).text()),
    (await fetch(`${app.base}${feed}`)).text(),
  ])
  assert.match(texts[0] ?? '', /ORGANIZER/)
  const unfolded = texts.map((text) => text.replaceAll('\r\n ', ''))
  assert.match(unfolded.at(-1) ?? '', /ORGANIZER.*:mailto:alice@example\.org/)
  for (const text of unfolded) assert.doesNotMatch(text, /rsvp\+/)
})

const endings: [string, (bob: Person, meeting: { _id: string }) => Promise<unknown>][] = [
  ['a new address of the calendar', (bob) => createFeed(bob)],
  [
    'the end of the address of the calendar',
    async (bob) => {
      await createFeed(bob)
      return bob.send('DELETE', '/api/calendar/feed')
    },
  ],
  [
    'a removal, also when the guest is invited again',
    async (_, meeting) => {
      await alice.send('PUT', detailsPath(meeting), standUp({ participants: [] }))
      return alice.send('PUT', detailsPath(meeting), standUp({ participants: ['bob@example.org'] }))
    },
  ],
  [
    'the guest’s own stop',
    (_, meeting) =>
      inTransaction(app.database, (tx) =>
        stopReminders(tx, { meetingId: meeting._id, addressKey: 'bob@example.org' }, clock.now()),
      ),
  ],
]
for (const [name, end] of endings) {
  test(`ends the addresses of earlier mails: ${name}`, async () => {
    const { meeting, facts } = await invite()
    assert.equal(await receive(googleReply(facts)), 'recorded')
    await end(bob, meeting)
    assert.equal(await receive(googleReply({ ...facts, partstat: 'DECLINED' })), 'wrong-token')
    await app.mails()
    await alice.send('PUT', detailsPath(meeting), standUp({ topic: name }))
    const renewed = factsOf(toBob(await app.mails()))
    assert.equal(await receive(googleReply({ ...renewed, partstat: 'DECLINED', sequence: 9 })), 'recorded')
  })
}

test('a meeting from before REPLY_ADDRESS was set keeps its organizer', async () => {
  const { meeting } = await invite()
  await app.pool.query('update meeting set reply_address = null where id = $1', [meeting._id])
  await alice.send('PUT', detailsPath(meeting), standUp({ topic: 'Walk' }))
  assert.equal(replyAddressIn(toBob(await app.mails())), 'alice@example.org')
})
