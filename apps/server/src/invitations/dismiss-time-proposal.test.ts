import assert from 'node:assert/strict'
import { test } from 'node:test'
import { googleReply } from '../../test/meetings/calendar-replies.ts'
import { startReplyMailbox } from '../../test/meetings/reply-mailbox.ts'
import { detailsPath, standUp } from '../../test/people.ts'

const { app, alice, bob, olga, mallory, invite, receive } = await startReplyMailbox()
const path = (meeting: { _id: string }) => `${detailsPath(meeting)}/proposals`

async function propose(meeting: object = standUp()) {
  const invited = await invite(meeting)
  const counter = {
    ...invited.replyFields,
    method: 'COUNTER',
    start: 'DTSTART:20300107T140000Z',
    lines: ['COMMENT:Later?'],
  }
  assert.equal(await receive(googleReply(counter)), 'proposed')
  return invited.meeting
}

test('the host dismisses a proposal, twice without harm; no other person does, and no guest is mailed', async () => {
  const [meeting, other] = [await propose(), await propose()]
  await app.mails()
  const [proposal] = (await alice.send('GET', path(meeting))).body.proposals
  const dismiss = (person: typeof alice, of = meeting, id = proposal._id) =>
    person.send('POST', `${path(of)}/${id}/dismiss`)
  for (const [person, code] of [
    [bob, 'forbidden'],
    [olga, 'meeting_not_found'],
    [mallory, 'meeting_not_found'],
  ] as const) {
    assert.equal((await dismiss(person)).body.code, code)
  }
  for (const id of ['x', other._id, '%00']) {
    assert.equal((await dismiss(alice, meeting, id)).body.code, 'proposal_not_found', id)
  }
  assert.equal((await dismiss(alice, other)).body.code, 'proposal_not_found', 'of another meeting')
  assert.equal((await alice.send('GET', path(meeting))).body.proposals.length, 1)
  assert.equal((await dismiss(alice)).status, 200)
  assert.equal((await dismiss(alice)).status, 200)
  assert.deepEqual((await alice.send('GET', path(meeting))).body.proposals, [])
  assert.equal((await alice.send('GET', path(other))).body.proposals.length, 1)
  assert.deepEqual(await app.mails(), [])
})
