import { cancelMeeting, createMeeting, listMeetings, listOccurrences, readMeeting } from '@parley/contract'
import { requestFile } from './request-file.ts'

const weekly = {
  topic: 'Weekly review',
  description: 'Bring numbers.',
  startTime: '2030-01-07T09:00:00.000Z',
  endTime: '2030-01-07T09:45:00.000Z',
  participants: ['bob@example.org'],
  isPinEnabled: true,
  advancedOptions: { waitingRoom: true },
  repeatOptions: { repeat: 'weekly', daysOfWeek: [0, 1, 0, 0, 1, 0, 0], timeZone: 'UTC' },
}
const params = { meetingId: '{{meetingId}}' }
const quiet = { sendUpdates: 'none' }

/** Requests that belong together: run the folder from the first to the last. */
const steps = [
  [
    createMeeting,
    {
      title: 'Schedule a weekly meeting',
      query: quiet,
      body: weekly,
      remember: { meetingId: 'res.body.meetingDetails._id' },
      expect: { 'res.status': 'eq 200', 'res.body.meetingDetails.topic': 'eq Weekly review' },
    },
  ],
  [
    readMeeting,
    {
      title: 'Read it',
      params,
      expect: { 'res.status': 'eq 200', 'res.body[0]._id': 'eq {{meetingId}}' },
    },
  ],
  [
    listOccurrences,
    {
      title: 'List its first dates',
      params,
      query: { from: '2030-01-01T00:00:00.000Z', limit: '2' },
      expect: {
        'res.status': 'eq 200',
        'res.body.occurrences[0].startTime': 'eq 2030-01-07T09:00:00.000Z',
        'res.body.occurrences[1].startTime': 'eq 2030-01-10T09:00:00.000Z',
      },
    },
  ],
  [
    listMeetings,
    {
      title: 'List the meetings ahead',
      params: { userId: 'me' },
      query: { past: 'false' },
      expect: { 'res.status': 'eq 200', 'res.body.totalCount': 'gte 1' },
    },
  ],
  [
    createMeeting,
    {
      title: 'Send a wrong body',
      query: quiet,
      body: { ...weekly, endTime: weekly.startTime },
      expect: {
        'res.status': 'eq 400',
        'res.body.code': 'eq invalid_request',
        'res.body.errors[0].path': 'eq /endTime',
      },
    },
  ],
  [
    cancelMeeting,
    {
      title: 'Cancel the series',
      params,
      query: quiet,
      body: { cancel: 'all' },
      expect: { 'res.status': 'eq 200' },
    },
  ],
  [
    readMeeting,
    {
      title: 'Read a meeting that does not exist',
      params: { meetingId: 'unknown' },
      expect: { 'res.status': 'eq 404', 'res.body.code': 'eq meeting_not_found' },
    },
  ],
] as const

/** @returns the files of the story's folder, by name */
export const storyFiles = (): [string, string][] =>
  steps.map(([endpoint, options], index) => [
    `${index + 1} ${options.title}.bru`,
    requestFile(endpoint, { ...options, position: index + 1 }),
  ])
