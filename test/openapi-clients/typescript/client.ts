import createClient from 'openapi-fetch'
import type { MeetingRequest, Problem, paths, webhooks } from './api.ts'

const { BASE_URL: baseUrl = '', TOKEN: token = '', EVENT: posted = '' } = process.env
const client = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${token}` } })

const standUp: MeetingRequest = {
  topic: 'Stand-up',
  startTime: '2027-01-11T09:00:00+05:30',
  endTime: '2027-01-11T09:30:00+05:30',
  participants: ['bob@example.org', { email: 'carol@example.org' }],
  description: '',
  // No option is required: each has a default.
  advancedOptions: { waitingRoom: true },
  isPinEnabled: true,
  repeatOptions: { repeat: 'weekly', interval: 1, daysOfWeek: [0, 1, 0, 0, 0, 0, 0], timeZone: 'IST' },
}

const created = await client.POST('/api/meeting', { body: standUp, params: { query: { sendUpdates: 'none' } } })
if (created.data === undefined) throw new Error(created.error.code)
const meetingId: string = created.data.meetingDetails._id

const listed = await client.GET('/api/meeting/{userId}', { params: { path: { userId: 'me' } } })
const topics: string[] = listed.data?.meetingDetails.map(({ topic }) => topic) ?? []

const refused = await client.POST('/api/meeting', { body: { ...standUp, topic: '' } })
const problem: Problem | undefined = refused.error
const violations = problem?.errors?.map(({ path, code }) => `${path} ${code}`)

const cancelled = await client.POST('/api/meeting/cancel/{meetingId}', {
  params: { path: { meetingId }, query: { sendUpdates: 'none' } },
  body: { cancel: 'all' },
})
const read = await client.GET('/api/meeting/meetingDetails/{meetingId}', { params: { path: { meetingId } } })

type MeetingUpdated = webhooks['meeting.updated']['post']['requestBody']['content']['application/json']
const event: MeetingUpdated = JSON.parse(posted)

console.log(
  JSON.stringify({
    topics,
    code: problem?.code,
    violations,
    cancelled: cancelled.data?.status !== undefined,
    status: read.data?.[0]?.status,
    changed: event.data.changed,
  }),
)
