const userId = '019aa4c2-6f00-7000-8000-0a11ce000001'
const appId = '019aa4c2-6f00-7000-8000-0a9900000002'

const meeting = {
  userId,
  meetingId: '019aa4c2-6f00-7000-8000-3ee714600003',
  svcMeetId: '2093846571',
  __v: 0,
  topic: 'Stand-up',
  joinUrl: 'https://meet.example.org/j/2093846571',
}

const app = { userId, appId, name: 'Planner' }

/** Parts of the examples of events. */
export const samples = {
  meeting,
  changedMeeting: { ...meeting, __v: 1 },
  occurrence: { originalStartTime: '2026-11-23T09:00:00.000Z' },
  participant: {
    admissionId: '019aa4c2-6f00-7000-8000-ad3155100004',
    name: 'Bob Brown',
    email: 'bob@example.org',
    role: 'participant',
  },
  grant: {
    userId,
    grantId: '019aa4c2-6f00-7000-8000-96a470000005',
    appId,
    sandbox: false,
    scopes: ['meeting:read'],
  },
  app,
  secret: {
    ...app,
    secretId: '019aa4c2-6f00-7000-8000-5ec6e7000006',
    secretName: 'Production',
    sandbox: false,
    expiresOn: '2026-12-01T00:00:00.000Z',
  },
  webhook: { userId, webhookId: '019aa4c2-6f00-7000-8000-3eb400000007' },
} as const
