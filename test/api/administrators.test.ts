import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Endpoint, endpoints } from '@parley/contract'
import { approvedApp } from '../../apps/server/test/oauth/approved-app.ts'
import { tokensFor } from '../../apps/server/test/oauth/token-client.ts'
import { type Answer, detailsPath, meetPeople, schedule, sendRequest, standUp } from '../../apps/server/test/people.ts'
import { expectOk } from '../../apps/server/test/replies.ts'
import { startApp } from '../../apps/server/test/start-app.ts'

/**
 * What a role in the organisation gives over meetings of others: every endpoint that takes a meeting or a person refuses
 * an administrator, or is in the audit log, and shows nothing that leads into the meeting.
 */
const app = await startApp({ emails: 'dropped', environment: { RATE_LIMITS: 'off' } })
const { olga, alice, bob, mallory } = await meetPeople(app)
const planner = await approvedApp(app, olga, { scopes: ['meeting:read', 'meeting:update', 'meeting:delete'] })
const { access_token: token } = await tokensFor(app, planner, olga)

// Words that stand in no other text.
const description = 'Confidential-agenda'
const topic = 'Visible-topic'
const mondays = {
  topic,
  description,
  participants: [bob.email],
  cohosts: ['carol@example.org'],
  repeatOptions: { repeat: 'weekly', daysOfWeek: [0, 1, 0, 0, 0, 0, 0], timeZone: 'GMT' },
}
const second = '2030-01-14T09:00:00.000Z'
const third = '2030-01-21T09:00:00.000Z'
const later = { startTime: '2030-01-07T10:00:00.000Z', endTime: '2030-01-07T10:30:00.000Z' }

type Meeting = { _id: string; svcMeetId: string; pin: string; roomKey: string; vpin: string }

/** A series of Alice's with a changed and a cancelled date, as she reads it. */
async function meet(): Promise<Meeting> {
  const made = await schedule(alice, standUp(mondays))
  const change = { description: `${description} of this date` }
  const dates = `${detailsPath(made)}/occurrences`
  await expectOk(alice.send('PUT', `${dates}/${encodeURIComponent(second)}`, change))
  const cancel = { cancel: 'current', occurrence: third }
  await expectOk(alice.send('POST', `/api/meeting/cancel/${made._id}`, cancel))
  return (await alice.send('GET', detailsPath(made))).body[0]
}

/** `undoes`: the administrator has cancelled the meeting before. */
type RequestOfTest = { query?: string; body?: object; originalStart?: string; undoes?: boolean }

/** What the request of each endpoint has besides its path. */
const requests: Record<string, (read: object) => RequestOfTest> = {
  readMeeting: () => ({ query: 'occurrences=5' }),
  updateMeeting: (read) => ({ body: { ...read, ...later } }),
  changeOccurrence: () => ({ body: { startTime: '2030-01-14T09:15:00Z' } }),
  undoOccurrenceChange: () => ({}),
  restoreOccurrence: () => ({ originalStart: third }),
  splitMeeting: () => ({ body: { occurrence: '2030-01-28T09:00:00Z', startTime: '2030-01-28T10:00:00Z' } }),
  cancelMeeting: () => ({ body: { cancel: 'current' } }),
  undoCancellation: () => ({ undoes: true }),
  restoreMeeting: () => ({ undoes: true }),
  respondToMeeting: () => ({ body: { response: 'accepted' } }),
  chooseMeetingColour: () => ({ body: { colour: 'teal' } }),
  listTimeProposals: () => ({}),
  dismissTimeProposal: () => ({}),
  resendInvitation: () => ({ body: { email: bob.email } }),
  askForAnswers: () => ({}),
  listOccurrences: () => ({ query: 'status=all' }),
  listMeetings: () => ({}),
  listCalendar: () => ({ query: 'fromDate=2030-01-01T00:00:00Z&toDate=2030-02-01T00:00:00Z' }),
  readInvite: () => ({}),
  removeAddedMeeting: () => ({}),
  unblockSender: () => ({}),
  exportAttendance: () => ({}),
  listAttendance: () => ({}),
  answerHandOver: () => ({ body: { answer: 'accepted' } }),
}

const isOfMeeting = ({ path, tag }: Endpoint) =>
  path.includes(':meetingId') || (path.includes(':userId') && tag === 'Meetings')

async function askFor({ method, path, name }: Endpoint, meeting: Meeting, send: typeof olga.send): Promise<Answer> {
  const [read] = (await olga.send('GET', detailsPath(meeting))).body
  const { query, body, originalStart = second, undoes = false } = requests[name]?.(read) ?? {}
  if (undoes) await olga.send('POST', `/api/meeting/cancel/${meeting._id}?undoable=true`, { cancel: 'all' })
  // So that a look is recorded again.
  await app.database.deleteFrom('auditEntry').execute()
  const address = path
    .replace(':meetingId', meeting._id)
    .replace(':userId', alice.profile._id)
    .replace(':originalStart', encodeURIComponent(originalStart))
    .replace(':proposalId', meeting._id)
  return send(method, query === undefined ? address : `${address}?${query}`, body)
}

/** What the audit log has of Olga about Alice. */
async function entries(): Promise<object[]> {
  const path = `/api/admin/audit-log?actor=${olga.profile._id}&subject=${alice.profile._id}`
  return (await olga.send('GET', path)).body.entries
}

function requireNoSecret(text: string, { svcMeetId, pin, roomKey, vpin }: Meeting, name: string) {
  for (const secret of [svcMeetId, pin, roomKey, vpin, description, bob.email, 'carol@example.org']) {
    assert.ok(!text.includes(secret), `${name} shows ${secret}: ${text}`)
  }
}

for (const endpoint of endpoints.filter(isOfMeeting)) {
  const { name, method, path } = endpoint
  test(`${method} ${path}: an administrator is refused, or in the audit log, and sees no secret`, async () => {
    assert.ok(requests[name], `Say what ${name} is sent.`)
    const meeting = await meet()
    const { status, body } = await askFor(endpoint, meeting, olga.send)
    requireNoSecret(JSON.stringify(body), meeting, name)
    if (status === 403 || status === 404) return
    assert.equal(status, 200, JSON.stringify(body))
    assert.equal((await entries()).length, 1, `${name} is in the audit log`)
  })

  test(`${method} ${path}: an app of an administrator finds nothing`, async () => {
    const meeting = await meet()
    const { status } = await askFor(endpoint, meeting, (to, address, body) =>
      sendRequest(app, to, address, body, { authorization: `Bearer ${token}` }),
    )
    assert.ok(status === 404 || status === 403, `${status}`)
  })
}

test('the rooms of others know no administrators: each endpoint answers one as it answers any account', async () => {
  const { svcMeetId } = await meet()
  const ofRooms = endpoints.filter(({ path, stream }) => path.includes(':svcMeetId') && !stream)
  assert.equal(ofRooms.length, 15)
  for (const { name, method, path } of ofRooms) {
    const address = path.replace(':svcMeetId', svcMeetId).replace(':admissionId', alice.profile._id)
    const body = { pin: 'wrong1', name: 'Olga', action: 'remove', decision: 'admit' }
    const [asOlga, asMallory] = [await olga.send(method, address, body), await mallory.send(method, address, body)]
    const seen = ({ status, body: { code, state } }: Answer) => [status, code, state]
    assert.deepEqual(seen(asOlga), seen(asMallory), name)
  }
})

test('the event log of an administrator has no meeting of others', async () => {
  const { _id } = await meet()
  const body = await expectOk(olga.send('GET', `/api/events?meetingId=${_id}`))
  assert.deepEqual(body.events, [])
})
