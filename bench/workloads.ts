import { secureRandom } from '../apps/server/src/platform/random.ts'
import type { InstanceFixture } from './fixture.ts'
import { formRequests, inTurn, requestBytes, type Target } from './load.ts'
import { weeklyReview } from './meetings/against-baseline.ts'
import {
  type BenchClient,
  insertAccessTokens,
  insertCodes,
  insertConnectedApp,
  insertRefreshTokens,
  redirectUri,
  vacuumTokens,
} from './oauth/oauth-data.ts'
import { idsOf, insertMeetings, type Person, signUp, vacuumMeetings } from './prepared-data.ts'

const meetings = 100_000
/** Meetings that are read, in rotation. */
const meetingsRead = 10_000
/** Hosts who create meetings, in rotation; as many other people sign in. */
const people = 50
/** Meetings of another host to which each host is invited. */
const invitations = 200
const refreshFamilies = 10_000
const accessTokenCount = 5_000
const codesPerBatch = 20_000
const pageSize = 20

/** The data that all workloads use. */
export type ReportData = {
  /** A host with many meetings. */
  host: Person
  guest: Person
  /** Ids of the host's meetings, scattered over the table. */
  meetingIds: readonly string[]
  creators: readonly Person[]
  signers: readonly { email: string; password: string }[]
  client: BenchClient
  accessTokens: readonly string[]
  /** The current refresh token of each family, the one that has waited longest first. */
  refreshTokens: string[]
}

export type Workload = {
  name: string
  /** A description of the request, and of what varies between requests. */
  request: string
  /** Arrivals a second at the fixed rate, unless the command sets another. */
  ratePerSecond: number
  /** Arrivals a second in the soak, where all workloads run at once. */
  soakRatePerSecond: number
  /** @param requests the maximum number of requests */
  prepare(fixture: InstanceFixture, data: ReportData, requests: number): Promise<Target>
}

const reading =
  (requestsOf: (data: ReportData) => readonly Buffer[]): Workload['prepare'] =>
  async ({ parley }, data) =>
    inTurn(parley.port, requestsOf(data))

export const workloads: readonly Workload[] = [
  {
    name: 'create',
    request: 'POST /api/meeting?sendUpdates=none: a weekly series with two participants; 50 hosts in turn',
    ratePerSecond: 300,
    soakRatePerSecond: 15,
    prepare: reading(({ creators, guest }) => {
      const body = JSON.stringify(weeklyReview([guest.email, 'somebody@example.com']))
      return creators.map(({ token }) => requestBytes('POST', '/api/meeting?sendUpdates=none', token, body))
    }),
  },
  {
    name: 'get',
    request: 'GET /api/meeting/meetingDetails/:id as the host, session token; 10,000 meetings in turn',
    ratePerSecond: 1_000,
    soakRatePerSecond: 50,
    prepare: reading(({ host, meetingIds }) =>
      meetingIds.map((id) => requestBytes('GET', `/api/meeting/meetingDetails/${id}`, host.token)),
    ),
  },
  {
    name: 'list',
    request: `GET /api/meeting/me?limit=${pageSize}: the first page of 100,000 meetings, session token`,
    ratePerSecond: 200,
    soakRatePerSecond: 20,
    prepare: reading(({ host }) => [requestBytes('GET', `/api/meeting/me?limit=${pageSize}`, host.token)]),
  },
  {
    name: 'refresh',
    request: 'POST /api/oauth2/v2/token, grant_type=refresh_token: rotation; 10,000 families in turn',
    ratePerSecond: 500,
    soakRatePerSecond: 30,
    prepare: async ({ parley }, { client, refreshTokens }) => {
      const send = formRequests('/api/oauth2/v2/token', client)
      return {
        port: parley.port,
        nextRequest() {
          const token = refreshTokens.shift()
          return token === undefined ? undefined : send({ grant_type: 'refresh_token', refresh_token: token })
        },
        // Each reply contains the successor, so the supply never ends.
        onReply({ body }) {
          const [, successor] = /"refresh_token":"([^"]+)"/.exec(body) ?? []
          if (successor !== undefined) refreshTokens.push(successor)
        },
      }
    },
  },
  {
    name: 'exchange',
    request:
      'POST /api/oauth2/v2/token, grant_type=authorization_code: each code once, inserted before the measurement',
    ratePerSecond: 500,
    soakRatePerSecond: 15,
    prepare: async (fixture, { client }, requests) => {
      const send = formRequests('/api/oauth2/v2/token', client)
      const codes: string[] = []
      while (codes.length < requests) codes.push(...(await insertCodes(fixture, client, codesPerBatch)))
      return {
        port: fixture.parley.port,
        nextRequest() {
          const code = codes.pop()
          return code === undefined
            ? undefined
            : send({ grant_type: 'authorization_code', code, redirect_uri: redirectUri })
        },
      }
    },
  },
  {
    name: 'introspect',
    request: 'POST /api/oauth2/v2/introspect of live access tokens; 5,000 tokens in turn',
    ratePerSecond: 1_000,
    soakRatePerSecond: 50,
    prepare: reading(({ client, accessTokens }) => {
      const send = formRequests('/api/oauth2/v2/introspect', client)
      return accessTokens.map((token) => send({ token, token_type_hint: 'access_token' }))
    }),
  },
  {
    name: 'profile',
    request: "GET /api/user/profile (the user info of OAuth apps) with an app's access token; 5,000 tokens in turn",
    ratePerSecond: 1_000,
    soakRatePerSecond: 50,
    prepare: reading(({ accessTokens }) =>
      accessTokens.map((token) => requestBytes('GET', '/api/user/profile', token)),
    ),
  },
  {
    name: 'sign-in',
    request: 'POST /api/auth/sign-in with the right password (Argon2id, 19 MiB, 2 passes); 50 accounts in turn',
    ratePerSecond: 10,
    soakRatePerSecond: 1,
    prepare: reading(({ signers }) =>
      signers.map((credentials) => requestBytes('POST', '/api/auth/sign-in', '', JSON.stringify(credentials))),
    ),
  },
]

export async function prepareReportData(fixture: InstanceFixture): Promise<ReportData> {
  const host = await signUp(fixture, 'host')
  const guest = await signUp(fixture, 'guest')
  const creators: Person[] = []
  const signers: { email: string; password: string }[] = []
  for (let count = 0; count < people; count++) {
    creators.push(await signUp(fixture, `creator-${count}`))
    const password = secureRandom.bytes(12).toString('hex')
    const { email } = await signUp(fixture, `signer-${count}`, password)
    signers.push({ email, password })
  }
  // All hosts are also invited by others. With only two addresses in the whole table, the planner would expect half of
  // all invitations for each address, and would scan the table for a list.
  const invited = [host, ...creators].map(({ email }) => email)
  const neighbour = await signUp(fixture, 'neighbour')
  await insertMeetings(fixture, { host: neighbour, count: invitations, firstCode: 1_000_000_000, guests: invited })
  const guests = [guest.email, 'somebody@example.com']
  await insertMeetings(fixture, { host, count: meetings, firstCode: 3_000_000_000, guests })
  const client = await insertConnectedApp(fixture, await signUp(fixture, 'developer'))
  const meetingIds = await idsOf(fixture, host, meetingsRead)
  const accessTokens = await insertAccessTokens(fixture, client, accessTokenCount)
  const refreshTokens = await insertRefreshTokens(fixture, client, refreshFamilies)
  await vacuumAll(fixture)
  return { host, guest, creators, signers, client, meetingIds, accessTokens, refreshTokens }
}

/** Vacuum and checkpoint all tables, so that work on new rows does not fall into the measurement. */
export async function vacuumAll(fixture: Pick<InstanceFixture, 'owner'>): Promise<void> {
  await vacuumTokens(fixture)
  await vacuumMeetings(fixture)
}
