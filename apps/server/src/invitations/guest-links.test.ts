import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoints, scopeNames } from '@parley/contract'
import { createFeed } from '../../test/calendar-feeds.ts'
import { assistantToken, connectAssistant } from '../../test/mcp/assistant.ts'
import { googleReply } from '../../test/meetings/calendar-replies.ts'
import {
  calendarTo,
  organizerIn,
  replyAddressIn,
  replyFieldsOf,
  useReplyMailbox,
} from '../../test/meetings/reply-mailbox.ts'
import { approvedApp } from '../../test/oauth/approved-app.ts'
import { tokensFor } from '../../test/oauth/token-client.ts'
import { detailsPath, type Person, password, standUp } from '../../test/people.ts'
import { expectOk } from '../../test/replies.ts'
import type { Mail } from '../email/mail.ts'
import { inTransaction } from '../platform/database/database.ts'
import { stopReminders } from './guest-reminder-store.ts'

const { app, clock, receive, meetGuests } = await useReplyMailbox()

test('each guest is invited by an address of their own, which names the host and fits a local part', async () => {
  const { bob, invite } = await meetGuests()
  const guests = [bob.email, 'dan@elsewhere.example']
  const { mails } = await invite(standUp(), guests)
  const toGuests = mails.filter(({ to }) => guests.includes(to))
  assert.equal(toGuests.length, 2)
  const lines = toGuests.map(({ calendar }) => organizerIn(calendar?.text))
  for (const line of lines) {
    assert.match(
      line,
      /^ORGANIZER;CN="Alice Test";EMAIL="alice\.\d+@example\.org";SENT-BY="mailto:meet@acme\.example":mailto:rsvp\+[0-9a-v]{32}@meet\.example\.org$/,
    )
  }
  assert.equal(new Set(lines).size, 2)
})

test('a guest’s own session reads the address that takes answers; the host reads their own', async () => {
  const { alice, bob, invite } = await meetGuests()
  const { meeting, replyFields } = await invite()
  const read = async ({ token }: { token: string }) =>
    (
      await fetch(`${app.base}${detailsPath(meeting)}/invite.ics`, { headers: { authorization: `Bearer ${token}` } })
    ).text()
  assert.equal(replyAddressIn(await read(bob)), replyFields.to)
  assert.equal(replyAddressIn(await read(alice)), alice.email)
})

test('nothing that a token, an app, an assistant or the address of a calendar reads takes answers', async () => {
  const { alice, bob, invite } = await meetGuests()
  const { meeting } = await invite()
  const { token: personal } = await expectOk(
    bob.send('POST', '/api/auth/tokens', { name: 'script', scopes: [...scopeNames] }),
    201,
  )
  const planner = await approvedApp(app, alice, { scopes: [...scopeNames] })
  const { access_token: ofApp } = await tokensFor(app, planner, bob, { scopes: [...scopeNames], clock })
  const texts = new Map<string, string>()
  for (const token of [personal, ofApp]) {
    for (const { path, name } of endpoints.filter(({ method, stream }) => method === 'GET' && stream !== true)) {
      const address = path.replace(':userId', 'me').replaceAll(/:\w+/g, meeting._id)
      const answer = await fetch(`${app.base}${address}`, { headers: { authorization: `Bearer ${token}` } })
      texts.set(name, await answer.text())
    }
    // The reader got what the endpoints are for.
    for (const name of ['readInvite', 'readMeeting', 'listMeetings']) assert.match(texts.get(name) ?? '', /Stand-up/)
  }
  const assistant = await connectAssistant(app, await assistantToken(app, planner, bob, { clock }))
  texts.set('get_meeting', JSON.stringify(await assistant.done('get_meeting', { meetingId: meeting._id })))
  texts.set('feed', await (await fetch(`${app.base}${await createFeed(bob)}`)).text())
  const exported = await fetch(`${app.base}/api/my_profile/export?format=ics`, {
    headers: { authorization: `Bearer ${bob.token}` },
  })
  texts.set('export', await exported.text())
  for (const [name, text] of texts) assert.doesNotMatch(text.replaceAll('\r\n ', ''), /rsvp\+|\/answer\//, name)
  const organizer = /ORGANIZER.*:mailto:alice\.\d+@example\.org/
  for (const name of ['readInvite', 'feed', 'export'])
    assert.match((texts.get(name) ?? '').replaceAll('\r\n ', ''), organizer)
})

type People = { alice: Person; bob: Person }
const endings: [string, (people: People, meeting: { _id: string }) => Promise<unknown>][] = [
  ['a new address of the calendar', ({ bob }) => createFeed(bob)],
  [
    'the end of the address of the calendar',
    async ({ bob }) => {
      await createFeed(bob)
      return bob.send('DELETE', '/api/calendar/feed')
    },
  ],
  [
    'a removal, also when the guest is invited again',
    async ({ alice, bob }, meeting) => {
      await alice.send('PUT', detailsPath(meeting), standUp({ participants: [] }))
      return alice.send('PUT', detailsPath(meeting), standUp({ participants: [bob.email] }))
    },
  ],
  [
    'the guest’s own stop',
    ({ bob }, meeting) =>
      inTransaction(app.database, (tx) =>
        stopReminders(tx, { meetingId: meeting._id, addressKey: bob.email }, clock.now()),
      ),
  ],
  [
    'the disconnection of an app',
    async ({ alice, bob }) => {
      const planner = await approvedApp(app, alice, { name: 'Disconnected' })
      await tokensFor(app, planner, bob, { clock })
      const { grants } = await expectOk(bob.send('GET', '/api/oauth2/grants'))
      for (const { _id } of grants) await expectOk(bob.send('DELETE', `/api/oauth2/grants/${_id}`))
    },
  ],
]
const answerLinkTo = (address: string, mails: readonly Mail[]) =>
  /http:\/\/parley\.test(\/answer\/\S+\/accepted)/.exec(mails.find(({ to }) => to === address)?.text ?? '')?.[1]
const pressLink = async (link?: string) =>
  (await fetch(`${app.base}${link}`, { method: 'POST', redirect: 'manual', body: new URLSearchParams() })).status
for (const [name, end] of endings) {
  test(`ends the addresses and links of earlier mails: ${name}`, async () => {
    const { alice, bob, invite } = await meetGuests()
    const { meeting, replyFields, mails } = await invite()
    assert.equal(await receive(googleReply(replyFields)), 'recorded')
    assert.equal(await pressLink(answerLinkTo(bob.email, mails)), 303)
    await end({ alice, bob }, meeting)
    assert.equal(await receive(googleReply({ ...replyFields, partstat: 'DECLINED' })), 'wrong-token')
    await app.mails()
    await alice.send('PUT', detailsPath(meeting), standUp({ participants: [bob.email], topic: name }))
    assert.equal(await pressLink(answerLinkTo(bob.email, mails)), 404)
    const later = await app.mails()
    const renewed = replyFieldsOf(calendarTo(bob.email, later), bob.email)
    assert.equal(await receive(googleReply({ ...renewed, partstat: 'DECLINED', sequence: 9 })), 'recorded')
    assert.equal(await pressLink(answerLinkTo(bob.email, later)), 303)
  })
}

test('what a person has ended stays ended when their account is deleted', async () => {
  const { bob, invite } = await meetGuests()
  const first = await invite()
  await createFeed(bob)
  const second = await invite()
  assert.equal(await receive(googleReply(first.replyFields)), 'wrong-token')
  assert.equal(await receive(googleReply(second.replyFields)), 'recorded')
  await expectOk(bob.send('POST', '/api/my_profile/delete', { currentPassword: password, meetings: 'cancel' }))
  assert.equal(await receive(googleReply(first.replyFields)), 'wrong-token')
  const [deletion] = await app.mails()
  assert.equal(deletion?.subject, 'Your account is deleted')
})

test('a meeting from before REPLY_ADDRESS was set keeps its organizer', async () => {
  const { alice, bob, invite } = await meetGuests()
  const { meeting } = await invite()
  await app.pool.query('update meeting set reply_address = null where id = $1', [meeting._id])
  await alice.send('PUT', detailsPath(meeting), standUp({ participants: [bob.email], topic: 'Walk' }))
  assert.equal(replyAddressIn(calendarTo(bob.email, await app.mails())), alice.email)
})
