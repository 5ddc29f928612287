import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lastEvent, readEvents } from '../../test/event-reader.ts'
import { createMailServer, refusal } from '../../test/mailbox.ts'
import { googleReply } from '../../test/meetings/calendar-replies.ts'
import { useReplyMailbox } from '../../test/meetings/reply-mailbox.ts'
import { cancelPath, detailsPath, type Person, schedule, signUp, standUp, weekdays } from '../../test/people.ts'
import { expectOk } from '../../test/replies.ts'
import { createClock, startApp } from '../../test/start-app.ts'

const { app, receive, meetGuests } = await useReplyMailbox()

const responsesTo = async (alice: Person, { _id }: { _id: string }) =>
  (await readEvents(app, alice, `type=participant.responded&meetingId=${_id}`)).events.map(({ data }) => [
    data.email,
    data.response,
    data.originalStartTime,
  ])

test('participant.responded: in the app, once for each other response', async () => {
  const { alice, bob, mallory, invite } = await meetGuests()
  const { meeting } = await invite()
  const respond = (response: string) => bob.send('POST', `${detailsPath(meeting)}/response`, { response })
  for (const response of ['accepted', 'accepted', 'declined']) await expectOk(respond(response))
  await mallory.send('POST', `${detailsPath(meeting)}/response`, { response: 'accepted' })
  assert.deepEqual(await responsesTo(alice, meeting), [
    [bob.email, 'accepted', undefined],
    [bob.email, 'declined', undefined],
  ])
  const event = await lastEvent(app, alice, 'participant.responded')
  assert.deepEqual([event.data.__v, event.sequence], [0, 3])
})

test('participant.responded: by the link of an email, and from a calendar program', async () => {
  const { alice, bob, invite } = await meetGuests()
  const { meeting, mails, replyFields } = await invite()
  const toBob = mails.find(({ to }) => to === bob.email)
  const link = /http:\/\/parley\.test(\/answer\/\S+\/tentative)/.exec(toBob?.text ?? '')?.[1]
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const pressed = await fetch(`${app.base}${link}`, { method: 'POST', redirect: 'manual', headers, body: '' })
  assert.equal(pressed.status, 303)
  assert.equal(await receive(googleReply({ ...replyFields, partstat: 'DECLINED' })), 'recorded')
  assert.deepEqual(await responsesTo(alice, meeting), [
    [bob.email, 'tentative', undefined],
    [bob.email, 'declined', undefined],
  ])
})

test('participant.responded: names the date that was answered', async () => {
  const { alice, bob, invite } = await meetGuests()
  const { meeting, replyFields } = await invite(weekdays())
  const occurrence = '2030-01-15T09:00:00.000Z'
  for (let times = 0; times < 2; times++) {
    const body = { response: 'accepted', occurrence }
    await expectOk(bob.send('POST', `${detailsPath(meeting)}/response`, body))
  }
  const reply = { ...replyFields, partstat: 'DECLINED', lines: ['RECURRENCE-ID:20300116T090000Z'] }
  assert.equal(await receive(googleReply(reply)), 'recorded')
  assert.deepEqual(await responsesTo(alice, meeting), [
    [bob.email, 'accepted', occurrence],
    [bob.email, 'declined', '2030-01-16T09:00:00.000Z'],
  ])
  await alice.send('POST', `${cancelPath(meeting)}?sendUpdates=none`, { cancel: 'all' })
})

test('invitation.failed: once for each address that no email reached', async () => {
  const { mailer, openMailbox } = createMailServer()
  const mailbox = openMailbox('bob@example.org', 'gone@example.org')
  const failing = await startApp({ clock: createClock('2030-01-01T12:00:00Z'), mailer })
  const host = await signUp(failing, 'Alice')
  mailbox.refuse = ({ to }) => (to === 'gone@example.org' ? refusal(to, 550) : undefined)
  const meeting = await schedule(host, standUp({ participants: ['bob@example.org', 'gone@example.org'] }))
  await failing.mails()
  const { events } = await readEvents(failing, host, 'type=invitation.failed')
  assert.deepEqual(
    events.map(({ subject, data }) => [subject, data.email]),
    [[meeting._id, 'gone@example.org']],
  )
})
