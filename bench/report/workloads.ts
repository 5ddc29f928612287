import { formRequests, requestBytes } from '../load.ts'
import { weeklyReview } from '../meetings/against-baseline.ts'
import { redirectUri } from '../oauth/oauth-data.ts'
import type { BenchRequest, RequestSource } from './drive-load.ts'
import type { ReportFixture } from './fixture.ts'
import { CodeSupply, type ReportData } from './report-data.ts'

export type Workload = {
  name: string
  /** A description of the request, and of what varies between requests. */
  request: string
  /** Arrivals a second at the fixed rate, unless the command sets another. */
  ratePerSecond: number
  /** Arrivals a second in the soak, where all workloads run at once. */
  soakRatePerSecond: number
  /** @param requests the maximum number of requests */
  prepare(fixture: ReportFixture, data: ReportData, requests: number): Promise<RequestSource>
}

const pageSize = 20

export const workloads: readonly Workload[] = [
  {
    name: 'create',
    request: 'POST /api/meeting?sendUpdates=none: a weekly series with two participants; 50 hosts in turn',
    ratePerSecond: 300,
    soakRatePerSecond: 15,
    prepare: async (_fixture, { creators, guest }) => {
      const body = JSON.stringify(weeklyReview([guest.email, 'somebody@example.com']))
      return inTurn(creators.map(({ token }) => requestBytes('POST', '/api/meeting?sendUpdates=none', token, body)))
    },
  },
  {
    name: 'get',
    request: 'GET /api/meeting/meetingDetails/:id as the host, session token; 10,000 meetings in turn',
    ratePerSecond: 1_000,
    soakRatePerSecond: 50,
    prepare: async (_fixture, { host, meetingIds }) =>
      inTurn(meetingIds.map((id) => requestBytes('GET', `/api/meeting/meetingDetails/${id}`, host.token))),
  },
  {
    name: 'list',
    request: `GET /api/meeting/me?limit=${pageSize}: the first page of 100,000 meetings, session token`,
    ratePerSecond: 200,
    soakRatePerSecond: 20,
    prepare: async (_fixture, { host }) =>
      inTurn([requestBytes('GET', `/api/meeting/me?limit=${pageSize}`, host.token)]),
  },
  {
    name: 'refresh',
    request: 'POST /api/oauth2/v2/token, grant_type=refresh_token: rotation; 10,000 families in turn',
    ratePerSecond: 500,
    soakRatePerSecond: 30,
    prepare: async (_fixture, data) => rotateInTurn(data),
  },
  {
    name: 'exchange',
    request:
      'POST /api/oauth2/v2/token, grant_type=authorization_code: each code once, inserted before the measurement',
    ratePerSecond: 500,
    soakRatePerSecond: 15,
    prepare: exchangeCodes,
  },
  {
    name: 'introspect',
    request: 'POST /api/oauth2/v2/introspect of live access tokens; 5,000 tokens in turn',
    ratePerSecond: 1_000,
    soakRatePerSecond: 50,
    prepare: async (_fixture, { client, accessTokens }) => {
      const send = formRequests('/api/oauth2/v2/introspect', client)
      return inTurn(accessTokens.map((token) => send({ token, token_type_hint: 'access_token' })))
    },
  },
  {
    name: 'profile',
    request: "GET /api/user/profile (the user info of OAuth apps) with an app's access token; 5,000 tokens in turn",
    ratePerSecond: 1_000,
    soakRatePerSecond: 50,
    prepare: async (_fixture, { accessTokens }) =>
      inTurn(accessTokens.map((token) => requestBytes('GET', '/api/user/profile', token))),
  },
  {
    name: 'sign-in',
    request: 'POST /api/auth/sign-in with the right password (Argon2id, 19 MiB, 2 passes); 50 accounts in turn',
    ratePerSecond: 10,
    soakRatePerSecond: 1,
    prepare: async (_fixture, { signers }) =>
      inTurn(signers.map((credentials) => requestBytes('POST', '/api/auth/sign-in', '', JSON.stringify(credentials)))),
  },
]

function inTurn(requests: readonly Buffer[]): RequestSource {
  const prepared: readonly BenchRequest[] = requests.map((bytes) => ({ bytes }))
  let turn = 0
  return { next: () => prepared[turn++ % prepared.length] }
}

/** Refresh tokens continue: each reply contains the successor, so the supply never ends. */
function rotateInTurn({ client, refreshTokens }: ReportData): RequestSource {
  const send = formRequests('/api/oauth2/v2/token', client)
  return {
    next() {
      const token = refreshTokens.take()
      if (token === undefined) return undefined
      return {
        bytes: send({ grant_type: 'refresh_token', refresh_token: token }),
        onReply({ body }) {
          const [, successor] = /"refresh_token":"([^"]+)"/.exec(body) ?? []
          if (successor === undefined) throw new Error('A reply without a refresh token')
          refreshTokens.add(successor)
        },
      }
    },
  }
}

async function exchangeCodes(fixture: ReportFixture, { client }: ReportData, requests: number): Promise<RequestSource> {
  const send = formRequests('/api/oauth2/v2/token', client)
  const codes = new CodeSupply()
  await codes.insert(fixture, client, requests)
  return {
    next() {
      const code = codes.take()
      return code === undefined
        ? undefined
        : { bytes: send({ grant_type: 'authorization_code', code, redirect_uri: redirectUri }) }
    },
  }
}
