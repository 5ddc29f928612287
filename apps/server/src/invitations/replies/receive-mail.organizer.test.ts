import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFeed } from '../../../test/calendar-feeds.ts'
import { linesOf, organizerIn, replyAddressIn, startReplyMailbox, toBob } from '../../../test/meetings/reply-mailbox.ts'
import { detailsPath, standUp } from '../../../test/people.ts'

const { app, alice, bob, invite } = await startReplyMailbox()

test('each guest is invited by an address of their own, which names the host and fits a local part', async () => {
  const { mails } = await invite(standUp(), ['bob@example.org', 'dan@elsewhere.example'])
  const lines = mails.map(({ calendar }) => organizerIn(calendar?.text))
  for (const line of lines) {
    assert.match(
      line,
      /^ORGANIZER;CN="Alice Test";EMAIL="alice@example\.org";SENT-BY="mailto:meet@acme\.example":mailto:rsvp\+[0-9a-v]{29}@meet\.example\.org$/,
    )
  }
  assert.equal(new Set(lines).size, 2)
})

test('mails, feeds and files give a guest the same organizer, and the host their own address', async () => {
  const { meeting, facts } = await invite()
  const path = `${detailsPath(meeting)}/invite.ics`
  const read = async ({ token }: typeof bob) =>
    (await fetch(`${app.base}${path}`, { headers: { authorization: `Bearer ${token}` } })).text()
  assert.equal(replyAddressIn(await read(bob)), facts.to)
  assert.equal(replyAddressIn(await read(alice)), 'alice@example.org')
  const feedOf = async (person: typeof bob) => {
    const text = await (await fetch(`${app.base}${await createFeed(person)}`)).text()
    return linesOf(text).filter((line) => line.startsWith('ORGANIZER'))
  }
  assert.ok((await feedOf(bob)).some((line) => line.endsWith(facts.to)))
  assert.ok((await feedOf(alice)).every((line) => line.endsWith(':mailto:alice@example.org')))
})

test('a meeting from before REPLY_ADDRESS was set keeps its organizer', async () => {
  const { meeting } = await invite()
  await app.pool.query('update meeting set reply_address = null where id = $1', [meeting._id])
  await alice.send('PUT', detailsPath(meeting), standUp({ topic: 'Walk' }))
  assert.equal(replyAddressIn(toBob(await app.mails())), 'alice@example.org')
})
