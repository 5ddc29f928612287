import assert from 'node:assert/strict'
import type { Profile } from '@parley/contract'
import type { TestApp } from './start-app.ts'

/** A whole reply: tests of the wire format check all of it. */
// biome-ignore lint/suspicious/noExplicitAny: a test asserts on any JSON that was answered
export type Answer = { status: number; headers: Headers; body: any }

export type Person = {
  email: string
  token: string
  profile: Profile
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
}

export const password = 'correct horse battery staple'

/** Send a request and read the reply as JSON. */
export async function sendRequest(
  app: TestApp,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(`${app.base}${path}`, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) }
}

/** Sign a person up; the first on a fresh database is its administrator. */
export async function signUp(app: TestApp, name: string, email = `${name.toLowerCase()}@example.org`): Promise<Person> {
  const { status, body } = await sendRequest(app, 'POST', '/api/auth/sign-up', { email, password, name, lname: 'Test' })
  assert.equal(status, 201, JSON.stringify(body))
  const { token, user } = body
  return {
    email,
    token,
    profile: user,
    send: (method, path, sent, headers) =>
      sendRequest(app, method, path, sent, { authorization: `Bearer ${token}`, ...headers }),
  }
}

/** Sign in from another device, and return the session's token. */
export async function signInAgain(app: TestApp, email: string, userAgent = 'node'): Promise<string> {
  const sent = { email, password }
  const { status, body } = await sendRequest(app, 'POST', '/api/auth/sign-in', sent, { 'user-agent': userAgent })
  assert.equal(status, 200, JSON.stringify(body))
  return body.token
}

/** Alice hosts, Bob is invited, Carol is not, Mallory attacks. */
export async function meetUsers(app: TestApp) {
  const [alice, bob, carol, mallory] = await Promise.all([
    signUp(app, 'Alice'),
    signUp(app, 'Bob'),
    signUp(app, 'Carol'),
    signUp(app, 'Mallory'),
  ])
  return { alice, bob, carol, mallory }
}

/** The same people, and Olga, who administers the service. */
export async function meetPeople(app: TestApp) {
  const olga = await signUp(app, 'Olga')
  return { olga, ...(await meetUsers(app)) }
}

/** A meeting on Monday, 7 January 2030, 09:00 to 09:30 in London, to which Bob is invited. */
export const standUp = (changes: object = {}) => ({
  topic: 'Stand-up',
  startTime: '2030-01-07T09:00:00Z',
  endTime: '2030-01-07T09:30:00Z',
  participants: ['bob@example.org'],
  description: '',
  advancedOptions: {},
  isPinEnabled: true,
  repeatOptions: { repeat: 'none', timeZone: 'GMT' },
  ...changes,
})

/** The same meeting on each weekday of three weeks: 15 dates. */
export const weekdays = (changes: object = {}) =>
  standUp({
    repeatOptions: {
      repeat: 'weekly',
      daysOfWeek: [0, 1, 1, 1, 1, 1, 0],
      endDate: '2030-01-25T23:59:59Z',
      timeZone: 'BST',
    },
    ...changes,
  })

/** Schedule a meeting, which must succeed. */
export async function schedule(host: Person, meeting: object = standUp()) {
  const { status, body } = await host.send('POST', '/api/meeting', meeting)
  assert.equal(status, 200, JSON.stringify(body))
  return body.meetingDetails
}

export const detailsPath = ({ _id }: { _id: string }) => `/api/meeting/meetingDetails/${_id}`
export const cancelPath = ({ _id }: { _id: string }) => `/api/meeting/cancel/${_id}`
