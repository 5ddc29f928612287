import { evaluateTarget, loadCells, printTable, ratioOf } from '../figures.ts'
import type { BenchFixture } from '../fixture.ts'
import { formRequests, inTurn, type Load, measureLoad, requestBytes, type Target } from '../load.ts'
import { idsOf, insertMeetings, type Person, signUp, vacuumMeetings } from '../prepared-data.ts'
import { type RunningProcess, startProcess } from '../processes.ts'
import {
  type BenchClient,
  insertAccessToken,
  insertCodes,
  insertConnectedApp,
  insertRefreshTokens,
  redirectUri,
  vacuumTokens,
} from './oauth-data.ts'

const workerCount = 16
const roundCount = 7
const roundMs = 700
const warmUpMs = 1_500
/** Each code is used once. The number suffices for the rounds at twice the highest speed measured so far. */
const codesOfOurs = 100_000
const codesOfPeer = 15_000
const meetingsRead = 1_000

const comparisons = [
  { grant: 'refresh_token', name: 'refresh with rotation', target: 3, gate: 2.5 },
  { grant: 'authorization_code', name: 'code exchange', target: 2, gate: 1.7 },
] as const

/**
 * Compare our token endpoint with oidc-provider's, alternately: each is one process with 16 connections to the same
 * PostgreSQL, with fsync on. Then compare API calls with an app's token and with a session.
 */
export async function benchOauth(fixture: BenchFixture, started: AsyncDisposableStack) {
  const developer = await signUp(fixture, 'developer')
  const client = await insertConnectedApp(fixture, developer)
  const peer = await startPeer(fixture, client)
  started.defer(() => peer.stop())
  for (const comparison of comparisons) await benchGrant(fixture, client, peer, comparison)
  await benchApi(fixture, client, developer)
}

function startPeer({ owner }: BenchFixture, { clientId, clientSecret }: BenchClient): Promise<RunningProcess> {
  const query = new URLSearchParams({ host: owner.host, port: String(owner.port) })
  return startProcess('bench/oauth/oidc-peer.ts', {
    DATABASE_URL: `postgres://${owner.user}@localhost/${owner.database}?${query}`,
    CLIENT_ID: clientId,
    CLIENT_SECRET: clientSecret,
    REDIRECT_URI: redirectUri,
    NODE_ENV: 'production',
  })
}

async function benchGrant(
  fixture: BenchFixture,
  client: BenchClient,
  peer: RunningProcess,
  comparison: (typeof comparisons)[number],
) {
  const { grant, name, target, gate } = comparison
  const insert = grant === 'refresh_token' ? insertRefreshTokens : insertCodes
  const kind = grant === 'refresh_token' ? 'refresh' : 'code'
  const minted = await fetch(`http://127.0.0.1:${peer.port}/mint?kind=${kind}&count=${codesOfPeer}`)
  const theirs = redeemInTurn(peer.port, '/token', client, grant, (await minted.json()) as string[])
  const ours = redeemInTurn(
    fixture.parley.port,
    '/api/oauth2/v2/token',
    client,
    grant,
    await insert(fixture, client, codesOfOurs),
  )
  await fixture.owner.query('vacuum (analyze) oidc_payload')
  await vacuumTokens(fixture)

  const [parley, provider] = await measureInRounds(ours, theirs)
  const ratio = ratioOf(parley, provider)
  printTable(`${name}, ${workerCount} workers, medians of ${roundCount} rounds in turns`, [
    ['', 'served', 'p50', 'p99', 'times the peer'],
    ['Parley', ...loadCells(parley), `${evaluateTarget(ratio, { kind: 'at least', value: target })}, gate ${gate}`],
    ['oidc-provider', ...loadCells(provider), ''],
  ])
}

/** Requests that each redeem one code or refresh token. */
function redeemInTurn(
  port: number,
  path: string,
  client: BenchClient,
  grant: string,
  tokens: readonly string[],
): Target {
  const send = formRequests(path, client)
  let next = 0
  return {
    port,
    nextRequest() {
      const token = tokens[next++]
      if (token === undefined) return undefined
      return send(
        grant === 'refresh_token'
          ? { grant_type: grant, refresh_token: token }
          : { grant_type: grant, code: token, redirect_uri: redirectUri },
      )
    },
  }
}

async function benchApi(fixture: BenchFixture, client: BenchClient, developer: Person) {
  await insertMeetings(fixture, { host: developer, count: meetingsRead, firstCode: 5_000_000_000, guests: [] })
  const ids = await idsOf(fixture, developer, meetingsRead)
  const accessToken = await insertAccessToken(fixture, client, developer)
  await vacuumMeetings(fixture)
  const reading = (token: string) =>
    inTurn(
      fixture.parley.port,
      ids.map((id) => requestBytes('GET', `/api/meeting/meetingDetails/${id}`, token)),
    )
  const [app, session] = await measureInRounds(reading(accessToken), reading(developer.token))
  printTable(`Reading a meeting, ${workerCount} workers, medians of ${roundCount} rounds in turns`, [
    ['', 'served', 'p50', 'p99', 'by the session'],
    ["an app's token", ...loadCells(app), evaluateTarget(ratioOf(app, session), { kind: 'at least', value: 0.9 })],
    ["a session's token", ...loadCells(session), ''],
  ])
}

async function measureInRounds(first: Target, second: Target): Promise<[Load[], Load[]]> {
  const loads: [Load[], Load[]] = [[], []]
  for (const target of [first, second]) await measureLoad(target, workerCount, warmUpMs)
  for (let round = 0; round < roundCount; round++) {
    loads[0].push(await measureLoad(first, workerCount, roundMs))
    loads[1].push(await measureLoad(second, workerCount, roundMs))
  }
  return loads
}
