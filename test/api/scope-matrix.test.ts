import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Cost,
  costs,
  type Endpoint,
  type EndpointAccess,
  endpoints,
  isScope,
  type PersonalScope,
  type Scope,
  scopeNames,
} from '@parley/contract'
import { approvedApp, callbackUrl } from '../../apps/server/test/oauth/approved-app.ts'
import { calendarApp, permit } from '../../apps/server/test/oauth/apps.ts'
import { authorizeUrl } from '../../apps/server/test/oauth/consenting-person.ts'
import { createPlainBrowser } from '../../apps/server/test/oauth/plain-browser.ts'
import { postForm, tokensFor } from '../../apps/server/test/oauth/token-client.ts'
import { type Answer, type Person, sendRequest, signInAgain, signUp } from '../../apps/server/test/people.ts'
import { expectOk, expectProblem } from '../../apps/server/test/replies.ts'
import { publicAddress, startApp } from '../../apps/server/test/start-app.ts'

/** Senders of requests, with their credentials. */
type Sender = { name: string; token?: string } & (
  | { kind: 'nobody' }
  | { kind: 'session'; right?: 'administrator' | 'reviewer' }
  | { kind: 'personal' | 'app'; scopes: readonly PersonalScope[] }
)

const service = await startApp({ emails: 'dropped', environment: { RATE_LIMITS: 'off' } })
const olga = await signUp(service, 'Olga')
const [rita, alice, owen] = [
  await signUp(service, 'Rita'),
  await signUp(service, 'Alice'),
  await signUp(service, 'Owen'),
]
await permit(olga, olga, { reviewer: false })
await permit(olga, rita, { reviewer: true })
// The tokens' user has every right, so each refusal is caused by the token.
await permit(olga, owen, { admin: true, reviewer: true, oauthEnabled: true })
const planner = await approvedApp(service, owen, { scopes: [...scopeNames] })

const session = ({ token }: Person, right?: 'administrator' | 'reviewer'): Sender =>
  right
    ? { name: `a session of a ${right}`, kind: 'session', token, right }
    : { name: 'a session', kind: 'session', token }

async function personalToken(...scopes: PersonalScope[]): Promise<Sender> {
  const name = scopes.join(' and ')
  const { token } = await expectOk(owen.send('POST', '/api/auth/tokens', { name, scopes }), 201)
  return { name: `a personal token with ${name}`, kind: 'personal', token, scopes }
}

async function withOnly(...scopes: Scope[]): Promise<Sender[]> {
  const name = scopes.join(' and ')
  const real = await tokensFor(service, planner, owen, { scopes })
  const sandbox = await tokensFor(service, planner, owen, { scopes, sandbox: true })
  return [
    await personalToken(...scopes),
    { name: `an app's token with ${name}`, kind: 'app', token: real.access_token, scopes },
    { name: `a sandbox token with ${name}`, kind: 'app', token: sandbox.access_token, scopes },
  ]
}

const senders: Sender[] = [
  { name: 'nobody', kind: 'nobody' },
  session(alice),
  session(rita, 'reviewer'),
  session(olga, 'administrator'),
  ...(await Promise.all(scopeNames.map((scope) => withOnly(scope)))).flat(),
  ...(await withOnly('meeting:join', 'meeting:update')),
  await personalToken('apps:manage'),
  await personalToken(...scopeNames),
]

/** Endpoints that act on or reveal people other than the token's user, which `meeting:join` alone does not permit. */
const actingOnOthers = [
  'watchRoom',
  'decideAdmission',
  'admitAll',
  'controlParticipant',
  'updateRoom',
  'muteAll',
  'endRoom',
  'extendCall',
  'openBreakoutRooms',
  'updateBreakoutRooms',
]

/** All scopes that a token needs; empty where no scope permits the endpoint. */
function neededOf({ name, access }: Endpoint): readonly PersonalScope[] {
  if (access === 'apps:manage') return ['apps:manage']
  if (actingOnOthers.includes(name)) return ['meeting:join', 'meeting:update']
  // It changes one meeting and schedules another.
  if (name === 'splitMeeting') return ['meeting:update', 'meeting:create']
  if (access === 'visitor') return ['meeting:join']
  return isScope(access) ? [access] : []
}

/** The expected problem code, computed independently of the server (docs/api-conventions.md), or 'let through'. */
function verdict(endpoint: Endpoint, sender: Sender): string {
  const { access } = endpoint
  if (access === 'anyone') return 'let through'
  if (access === 'client') return 'invalid_client'
  if (sender.kind === 'nobody') return access === 'visitor' ? 'let through' : 'unauthorized'
  if (access === 'apps:manage' && sender.kind === 'app') return 'app_token_refused'
  const needed = neededOf(endpoint)
  if (needed.length > 0) {
    const holds = sender.kind === 'session' || needed.every((scope) => sender.scopes.includes(scope))
    return holds ? 'let through' : 'insufficient_scope'
  }
  if (access === 'any-scope') return 'let through'
  if (sender.kind !== 'session') return 'session_required'
  return access === 'session' || access === sender.right ? 'let through' : `${access}_required`
}

const statuses: Record<string, number> = {
  invalid_client: 401,
  unauthorized: 401,
  insufficient_scope: 403,
  app_token_refused: 403,
  session_required: 403,
  administrator_required: 403,
  reviewer_required: 403,
}

const metadata = `resource_metadata="${publicAddress}/.well-known/oauth-protected-resource"`

/** The WWW-Authenticate of a refusal (RFC 6750, 3). */
function challengeOf(endpoint: Endpoint, code: string): string | null {
  if (code === 'unauthorized') return `Bearer ${metadata}`
  const scope = neededOf(endpoint).join(' ')
  if (code === 'insufficient_scope') return `Bearer error="insufficient_scope", scope="${scope}", ${metadata}`
  return null
}

/**
 * Send a request whose path names nothing that exists and whose body is empty: if permitted, it is answered with a
 * problem and changes nothing.
 */
async function send({ method, path, form, stream }: Endpoint, { token }: Sender): Promise<Answer> {
  const address = path.replaceAll(/:\w+/g, '00000000-0000-7000-8000-000000000000')
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
  if (form) return postForm(service, address, {}, headers)
  if (stream) {
    const { status, headers: answered, body } = await fetch(`${service.base}${address}`, { headers })
    if (status !== 200) return { status, headers: answered, body: await new Response(body).json() }
    // A stream does not end by itself.
    await body?.cancel()
    return { status, headers: answered, body: undefined }
  }
  return sendRequest(service, method, address, method === 'GET' ? undefined : {}, headers)
}

function describeReply({ status, body, headers }: Answer, endpoint: Endpoint): string {
  const code = body?.code ?? body?.error
  if (status >= 500 || status === 405) return `${status} ${code}`
  if (statuses[code] === undefined) return status === 401 ? `401 ${code}` : 'let through'
  const challenge = headers.get('www-authenticate')
  // A header with the wrong scheme is answered with the right one (RFC 6749, 5.2).
  const isRight = code === 'invalid_client' || challenge === challengeOf(endpoint, code)
  return status === statuses[code] && isRight ? code : `${status} ${code}, WWW-Authenticate: ${challenge}`
}

/** Signing out ends its session, which the other requests use; therefore its requests have sessions of their own. */
async function sendersTo({ name }: Endpoint): Promise<Sender[]> {
  if (name !== 'signOut') return senders
  const people = new Map([alice, rita, olga].map((person) => [person.token, person.email]))
  const withOwnSession = async (sender: Sender) => {
    const email = people.get(sender.token ?? '')
    return email === undefined ? sender : { ...sender, token: await signInAgain(service, email) }
  }
  return Promise.all(senders.map(withOwnSession))
}

for (const endpoint of endpoints) {
  const { method, path, access } = endpoint
  test(`${method} ${path} accepts the callers that its contract names (${access}), and refuses all others with the right code`, async () => {
    const tryEndpoint = async (sender: Sender) => [sender.name, describeReply(await send(endpoint, sender), endpoint)]
    const answered = Object.fromEntries(await Promise.all((await sendersTo(endpoint)).map(tryEndpoint)))
    assert.deepEqual(answered, Object.fromEntries(senders.map((sender) => [sender.name, verdict(endpoint, sender)])))
  })
}

test('the matrix covers every kind of access, each with an accepted and a refused request', () => {
  const verdicts = new Set(endpoints.flatMap((endpoint) => senders.map((sender) => verdict(endpoint, sender))))
  assert.deepEqual([...verdicts].toSorted(), ['let through', ...Object.keys(statuses)].toSorted())
  const opening = new Set<string>(endpoints.flatMap(neededOf))
  assert.deepEqual(
    scopeNames.filter((scope) => !opening.has(scope)),
    [],
  )
})

/** Costs of what a flood may choose: a new endpoint of this kind has its place here by a decision. */
const costsOfOpenEndpoints: Record<Cost, string[]> = {
  none: [
    'listScopes',
    'readMcpResourceMetadata',
    'readOpenidConfiguration',
    'readResourceMetadata',
    'readServerMetadata',
    'listUseCases',
    'listTimeZones',
    'readHealth',
    'readProblem',
    'readReadiness',
    'readVersion',
  ],
  light: [
    'enterRoom',
    'renameAdmission',
    'watchAdmission',
    'controlParticipant',
    'decideAdmission',
    'endRoom',
    'extendCall',
    'muteAll',
    'updateRoom',
    'watchRoom',
    'changeOwnBreakoutRoom',
    'redeemEmbedTicket',
    'readSession',
    'preparePasskeySignIn',
    'signInWithPasskey',
    'exchangeToken',
    'introspectToken',
    'revokeToken',
    'readDatabaseHealth',
    'readService',
  ],
  query: ['admitAll', 'openBreakoutRooms', 'updateBreakoutRooms'],
  // Without a session it reads no more than readService does.
  heavy: ['readStartPage'],
  compose: ['readCalendar'],
  elsewhere: ['resetPassword', 'signIn', 'signUp', 'verifyEmail'],
}

/** Lists that read a page from an index, whatever there is besides. */
const pagedByKey = [
  'listEvents',
  'listGrantEvents',
  'listNotifications',
  'listWebhookDeliveries',
  'suggestPeople',
  'listAppEvents',
]

test('the matrix of costs: what is open to anyone costs little, is limited elsewhere, or composes in turns', () => {
  const open = endpoints.filter(({ access }) => access === 'anyone' || access === 'visitor' || access === 'client')
  const byCost = Object.fromEntries(
    costs.map((cost) => [cost, open.filter((endpoint) => endpoint.cost === cost).map(({ name }) => name)]),
  )
  assert.deepEqual(byCost, costsOfOpenEndpoints)
  for (const { name, cost } of endpoints) assert.ok(costs.includes(cost), name)
})

test('what grows with an account, or is a whole document, is answered within the limit of large requests', () => {
  const isLarge = ({ cost }: Endpoint) => cost === 'heavy' || cost === 'compose'
  for (const endpoint of endpoints.filter(({ download, mediaType }) => download ?? mediaType)) {
    assert.equal(endpoint.cost, 'compose', endpoint.name)
  }
  const paged = endpoints.filter(({ query }) => query !== undefined && 'limit' in query.properties)
  assert.deepEqual(
    paged.filter((endpoint) => !isLarge(endpoint)).map(({ name }) => name),
    pagedByKey,
  )
})

test('no app can call endpoints of accounts, apps, reviews or administration, with any scopes', () => {
  const open: EndpointAccess[] = ['anyone', 'client', 'visitor', 'any-scope']
  const closed = endpoints.filter(({ access }) => !open.includes(access) && !isScope(access))
  const apps = senders.filter(({ kind }) => kind === 'app')
  const codes = new Set(closed.flatMap((endpoint) => apps.map((sender) => statuses[verdict(endpoint, sender)])))
  assert.deepEqual([...codes], [403])
  const tags = new Set(endpoints.filter(({ access }) => isScope(access)).map(({ tag }) => tag))
  assert.deepEqual([...tags].toSorted(), ['Meetings', 'OAuth', 'Profile', 'Rooms'])
})

test('the refusal of a token that may join meetings but not change them names the missing scope', async () => {
  const end = endpoints.find(({ name }) => name === 'endRoom') as Endpoint
  for (const [holds, missing] of [
    ['meeting:join', 'scope meeting:update'],
    ['meeting:update', 'scope meeting:join'],
    ['meeting:read', 'scopes meeting:join and meeting:update'],
  ]) {
    for (const sender of senders.filter(({ name }) => name.endsWith(`with ${holds}`))) {
      assert.equal((await send(end, sender)).body.detail, `This token does not carry the ${missing}.`, sender.name)
    }
  }
})

test('only a signed-in person can manage secrets, delete an app, or withdraw consent; no token can', () => {
  const inPerson = [
    'createSecret',
    'createPlaygroundSecret',
    'listSecrets',
    'retireSecret',
    'deleteApp',
    'listGrants',
    'revokeGrant',
  ]
  const found = endpoints.filter(({ name }) => inPerson.includes(name))
  assert.deepEqual(
    found.map(({ access }) => access),
    Array(inPerson.length).fill('session'),
  )
  const others = endpoints.filter(
    ({ tag, access, name }) => tag === 'Apps' && access !== 'anyone' && !inPerson.includes(name),
  )
  assert.deepEqual([...new Set(others.map(({ access }) => access))], ['apps:manage'])
})

test('apps cannot register, request or discover apps:manage', async () => {
  assert.ok(!(scopeNames as readonly string[]).includes('apps:manage'))
  const app = calendarApp({ scopes: ['user:read', 'apps:manage'] })
  const { errors } = await expectProblem(owen.send('POST', '/api/oauth2/apps', app), 'invalid_app')
  assert.deepEqual(
    errors.map(({ path, code }: { path: string; code: string }) => [path, code]),
    [['/scopes/1', 'not_allowed']],
  )
  const { scopes } = await expectOk(owen.send('GET', '/api/oauth2/scopes'))
  assert.deepEqual(
    scopes.map(({ scope }: { scope: string }) => scope),
    scopeNames,
  )
  const metadata = await expectOk(owen.send('GET', '/.well-known/oauth-authorization-server'))
  assert.deepEqual(metadata.scopes_supported, scopeNames)

  const browser = createPlainBrowser(service)
  const parameters = {
    client_id: planner.clientId,
    redirect_uri: callbackUrl,
    response_type: 'code',
    scope: 'apps:manage',
  }
  const { location = '' } = await browser.get(authorizeUrl(service, parameters))
  assert.equal(new URL(location).searchParams.get('error'), 'invalid_scope')

  // Even a stored row with this scope permits nothing.
  const { access_token: token } = await tokensFor(service, planner, alice, { scopes: ['user:read'] })
  const stored = [['user:read', 'apps:manage'], alice.profile._id]
  await service.pool.query('update app_grant set api_scopes = $1 where account_id = $2', stored)
  const ofGrant =
    'family_id in (select f.id from token_family f join app_grant g on g.id = grant_id where account_id = $2)'
  await service.pool.query(`update access_token set scopes = $1 where ${ofGrant}`, stored)
  const answer = sendRequest(service, 'GET', '/api/oauth2/apps', undefined, { authorization: `Bearer ${token}` })
  await expectProblem(answer, 'app_token_refused')
})
