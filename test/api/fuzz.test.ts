import assert from 'node:assert/strict'
import { Agent, request as openRequest } from 'node:http'
import { after, test } from 'node:test'
import { advancedOptionDefaults } from '@parley/contract'
import { openapiDocument } from '@parley/contract/openapi'
import fc from 'fast-check'
import {
  meetPeople,
  password,
  schedule,
  sendRequest,
  signUp,
  standUp,
  weekdays,
} from '../../apps/server/test/people.ts'
import { expectOk } from '../../apps/server/test/replies.ts'
import { errorsIn, publicAddress, startApp, type TestApp } from '../../apps/server/test/start-app.ts'
import { randomCases } from '../helpers/random-runs.ts'
import { type Known, requestsFor, type Sent } from './fuzz-requests.ts'
import { isRequired, type JsonSchema, placesIn, reportedAt, typeOf, typesAt, withAt } from './fuzz-schemas.ts'
import { createReplyValidator, type Received } from './fuzz-validation.ts'

const usual = randomCases(2_000)
const seed = Number(process.env.FUZZ_SEED ?? usual.seed)
const requests = Number(process.env.FUZZ_REQUESTS ?? usual.cases)
const atOnce = 16
/** No request takes longer than this, even if it waits for a password hash. */
const maxAnswerMs = 15_000

const document = openapiDocument({ baseUrl: publicAddress, version: 'test' })
const agent = new Agent({ keepAlive: true, maxSockets: atOnce })
after(() => agent.destroy())

test(`${requests} requests of every kind: no reply is a server error, and each is as documented`, async (t) => {
  t.diagnostic(`FUZZ_SEED=${seed} FUZZ_REQUESTS=${requests}`)
  const app = await startApp({ emails: 'dropped', environment: { RATE_LIMITS: 'off', LOG_LEVEL: 'warn' } })
  const sampled = requestsFor(document, await populate(app))
  const validateReply = createReplyValidator(document, publicAddress)
  const found = new Map<string, string>()
  const answers = new Map<string, number>()

  const chunk = 2_000
  for (let done = 0; done < requests; done += chunk) {
    const sent = fc.sample(sampled, { seed: seed + done, numRuns: Math.min(chunk, requests - done) })
    await eachInTurn(sent, async (one) => {
      const received = await send(app.base, one).catch((error: Error) => String(error))
      const violations = typeof received === 'string' ? [received] : validateReply(one, received)
      const status = typeof received === 'string' ? 'none' : received.status
      const kind = `${one.operationId} ${status}`
      answers.set(kind, (answers.get(kind) ?? 0) + 1)
      for (const violation of violations) {
        // One failure of each kind is enough.
        found.set(violation.slice(0, 40), `${violation}\n${kind}: ${JSON.stringify(one).slice(0, 1_500)}`)
      }
    })
  }
  for (const [kind, count] of [...answers].toSorted()) t.diagnostic(`${kind}: ${count}`)

  assert.deepEqual([...found.values()], [])
  for (const { subject } of await app.mails()) assert.doesNotMatch(subject, /[\r\n]/)
  assert.deepEqual(errorsIn(app.logged), [], 'Nothing was logged as an error')
  assert.equal(Object(Object.prototype).polluted, undefined)
  await expectOk(sendRequest(app, 'GET', '/readyz'))
})

test('each field of a meeting is validated with every wrong type, and omitted', async () => {
  const app = await startApp({ emails: 'dropped', environment: { RATE_LIMITS: 'off', LOG_LEVEL: 'warn' } })
  const alice = await signUp(app, 'Alice')
  const schema = document.components.schemas?.MeetingRequest as JsonSchema
  const refused = async (body: unknown, pointer: string) => {
    const answer = await alice.send('POST', '/api/meeting', JSON.stringify(body))
    const paths = answer.body.errors?.map(({ path }: { path: string }) => path)
    assert.deepEqual(
      [answer.status, paths?.includes(pointer)],
      [400, true],
      `${pointer} in ${JSON.stringify(answer.body)}`,
    )
    return answer.body.errors.find(({ path }: { path: string }) => path === pointer).code
  }

  let tried = 0
  for (const place of placesIn(everyField)) {
    const reported = reportedAt(document, schema, place)
    const pointer = reported.map((key) => `/${key}`).join('')
    const taken = typesAt(document, schema, place)
    for (const value of [null, true, 3, 1.5, 'text', ['text'], { some: 'text' }]) {
      if (taken.has(typeOf(value)) || (typeOf(value) === 'integer' && taken.has('number'))) continue
      assert.match(
        await refused(withAt(everyField, place, value), pointer),
        /^(wrong_type|required|must_be_true|not_allowed)$/,
      )
      tried++
    }
    if (place.length === 0 || typeof place.at(-1) === 'number') continue
    const without = withAt(everyField, place, undefined)
    if (isRequired(document, schema, place)) {
      assert.equal(await refused(without, pointer), reported === place ? 'required' : 'wrong_type')
    } else assert.equal((await alice.send('POST', '/api/meeting', without)).status, 200, pointer)
  }
  assert.ok(tried > 200, `Only ${tried} wrong values were tried`)
})

/** A meeting with every field of the request. */
const everyField = {
  topic: 'Stand-up',
  startTime: '2030-01-07T09:00:00Z',
  endTime: '2030-01-07T09:30:00Z',
  participants: ['bob@example.org', { email: 'carol@example.org' }],
  description: 'Bring numbers.',
  advancedOptions: { ...advancedOptionDefaults },
  isPinEnabled: true,
  repeatOptions: {
    repeat: 'daily',
    interval: 1,
    daysOfWeek: [0, 1, 0, 0, 1, 0, 0],
    dateInMonth: 0,
    lastDayOfMonth: false,
    weeksInMonth: [0, 0, 0, 0, 0],
    endDate: '2030-06-30T00:00:00Z',
    timeZone: 'IST',
  },
  cohosts: ['dora@example.org'],
}

/** Accounts with meetings, sessions and tokens. Mallory's and Victor's sessions and tokens may be revoked. */
async function populate(app: TestApp): Promise<Known> {
  const { olga, alice, bob, mallory } = await meetPeople(app)
  const victor = await signUp(app, 'Victor')
  const personal = async (person: typeof alice, scopes: string[]) => {
    const { body } = await person.send('POST', '/api/auth/tokens', { name: 'script', scopes })
    return body
  }
  const meetings = await Promise.all([
    ...Array.from({ length: 6 }, () => schedule(alice, weekdays())),
    ...Array.from({ length: 6 }, () => schedule(alice, standUp())),
    schedule(bob, weekdays({ participants: ['alice@example.org'] })),
    schedule(olga, standUp()),
  ])
  const everything = [
    'meeting:create',
    'meeting:read',
    'meeting:update',
    'meeting:delete',
    'user:read',
    'meeting:join',
    'apps:manage',
  ]
  const [all, reading] = await Promise.all([personal(alice, everything), personal(alice, ['meeting:read'])])
  // Ending the other sessions ends many, so Mallory has several.
  const mallories = [
    mallory,
    ...(await Promise.all(Array.from({ length: 15 }, (_, at) => signUp(app, `Mallory${at}`)))),
  ]
  const sacrificed = await Promise.all(mallories.flatMap((one) => [personal(one, ['user:read']), personal(one, [])]))
  const again = await Promise.all(mallories.flatMap((one) => [signIn(app, one.email), signIn(app, one.email)]))
  const sessions = await Promise.all(mallories.map((one) => one.send('GET', '/api/auth/sessions')))
  const bearer = (token: string) => `Bearer ${token}`
  const feed = await bob.send('POST', '/api/calendar/feed')
  const rooms = await Promise.all(
    [true, true, false].map((waitingRoom) => {
      const now = { startTime: new Date().toISOString(), endTime: new Date(Date.now() + 3_600_000).toISOString() }
      return schedule(alice, standUp({ ...now, advancedOptions: { waitingRoom } }))
    }),
  )
  const admissions = await Promise.all(
    rooms.flatMap(({ svcMeetId, pin }) =>
      [alice, bob].map((person) => person.send('POST', `/api/rooms/${svcMeetId}/enter`, { pin })),
    ),
  )
  return {
    parameters: {
      svcMeetId: rooms.map(({ svcMeetId }) => svcMeetId),
      admissionId: admissions.map(({ body }) => body.admissionId),
      meetingId: meetings.map(({ _id }) => _id),
      userId: ['me', alice.profile._id, bob.profile._id],
      code: ['invalid_request', 'stale_version', 'gone'],
      sessionId: [alice.profile._id],
      tokenId: [all._id],
      secret: [/cal_\w+/.exec(feed.body.url)?.[0] ?? ''],
    },
    authorizations: [
      alice.token,
      ...[alice, bob, olga].map(({ token }) => bearer(token)),
      all.token,
      bearer(reading.token),
    ],
    bodies: { ...bodies, enterRoom: rooms.map(({ pin }) => ({ pin, name: 'Gwen' })) },
    expendable: [
      ...again.map(({ body }) => bearer(body.token)),
      ...Array.from({ length: 8 }, () => bearer(olga.token)),
    ],
    expendableParameters: {
      sessionId: sessions.flatMap(({ body }) => body.sessions.map(({ _id }: { _id: string }) => _id)),
      tokenId: sacrificed.map(({ _id }) => _id),
      userId: [victor.profile._id],
    },
  }
}

const signIn = (app: TestApp, email: string) => sendRequest(app, 'POST', '/api/auth/sign-in', { email, password })

const monthly = { repeat: 'monthly', dateInMonth: 31, timeZone: 'Europe/Lisbon' }
const meetingBodies = [standUp(), weekdays(), standUp({ repeatOptions: monthly, cohosts: ['carol@example.org'] })]

const bodies = {
  createMeeting: meetingBodies,
  updateMeeting: [...meetingBodies, weekdays({ editOptions: { singleEvent: true } })],
  cancelMeeting: [{ cancel: 'current' }, { cancel: 'current', occurrence: '2030-01-08T09:00:00Z' }],
  changeOccurrence: [{ topic: 'Review' }, { startTime: '2030-01-08T12:00:00Z', endTime: '2030-01-08T13:00:00Z' }],
  decideAdmission: [{ decision: 'admit' }, { decision: 'deny' }],
  signIn: [{ email: 'alice@example.org', password }],
  changePassword: [{ currentPassword: password, newPassword: password, signOutEverywhere: false }],
  signUp: Array.from({ length: 60 }, (_, at) => ({ email: `new${at}@example.org`, password, name: 'New' })),
  createPersonalToken: [{ name: 'script', scopes: ['meeting:read'] }],
}

async function eachInTurn<Item>(items: readonly Item[], handle: (item: Item) => Promise<void>) {
  const left = items.values()
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const item of left) await handle(item)
    }),
  )
}

function send(base: string, { method, target, headers, body }: Sent): Promise<Received> {
  const { hostname, port } = new URL(base)
  // Node's client would send a body with GET without its length, so that it would be read as the next request.
  const length =
    body === undefined || 'transfer-encoding' in headers ? {} : { 'content-length': Buffer.byteLength(body) }
  // After a refused upgrade, Node keeps the connection and no longer answers malformed requests on it.
  const own = 'upgrade' in headers ? false : agent
  return new Promise((resolve, reject) => {
    const request = openRequest(
      { hostname, port, method, path: target, headers: { ...headers, ...length }, agent: own },
      (response) => {
        const chunks: Buffer[] = []
        const resolveReply = () => {
          const text = Buffer.concat(chunks).toString()
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text })
        }
        // A stream stays open; its first event counts as the reply.
        const isStream = String(response.headers['content-type']).startsWith('text/event-stream')
        response.on('data', (chunk) => {
          chunks.push(chunk)
          if (!isStream || !Buffer.concat(chunks).includes('\n\n')) return
          resolveReply()
          response.destroy()
        })
        response.on('error', reject)
        response.on('end', resolveReply)
      },
    )
    request.setTimeout(maxAnswerMs, () => request.destroy(new Error('No answer came')))
    request.on('error', reject)
    request.end(body)
  })
}
