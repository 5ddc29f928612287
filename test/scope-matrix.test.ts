import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Access, type Endpoint, endpoints, isScope, type Scope, scopeNames } from '@parley/contract'
import { approvedApp } from '../apps/server/test/approved-app.ts'
import { done, permit } from '../apps/server/test/apps.ts'
import { type Answer, ask, type Person, signUp } from '../apps/server/test/people.ts'
import { publicAddress, startApp } from '../apps/server/test/start-app.ts'
import { postForm, tokensFor } from '../apps/server/test/token-client.ts'

/** Who sends a request, and by what right. */
type Sender = { name: string; token?: string } & (
  | { kind: 'nobody' }
  | { kind: 'session'; right?: 'administrator' | 'reviewer' }
  | { kind: 'personal' | 'app'; scope: Scope }
)

const service = await startApp({ letters: 'dropped', environment: { RATE_LIMITS: 'off' } })
const olga = await signUp(service, 'Olga')
const [rita, alice, owen] = [
  await signUp(service, 'Rita'),
  await signUp(service, 'Alice'),
  await signUp(service, 'Owen'),
]
await permit(olga, olga, { reviewer: false })
await permit(olga, rita, { reviewer: true })
// Whose tokens are tried has every right there is: what a token may not do is then for the token's sake alone.
await permit(olga, owen, { admin: true, reviewer: true, oauthEnabled: true })
const planner = await approvedApp(service, owen, { scopes: [...scopeNames] })

const session = ({ token }: Person, right?: 'administrator' | 'reviewer'): Sender =>
  right
    ? { name: `a session of a ${right}`, kind: 'session', token, right }
    : { name: 'a session', kind: 'session', token }

async function withOnly(scope: Scope): Promise<Sender[]> {
  const scopes = [scope]
  const { token } = await done(owen.ask('POST', '/api/auth/tokens', { name: scope, scopes }), 201)
  const real = await tokensFor(service, planner, owen, { scopes })
  const sandbox = await tokensFor(service, planner, owen, { scopes, sandbox: true })
  return [
    { name: `a personal token with ${scope}`, kind: 'personal', token, scope },
    { name: `an app's token with ${scope}`, kind: 'app', token: real.access_token, scope },
    { name: `a sandbox token with ${scope}`, kind: 'app', token: sandbox.access_token, scope },
  ]
}

const senders: Sender[] = [
  { name: 'nobody', kind: 'nobody' },
  session(alice),
  session(rita, 'reviewer'),
  session(olga, 'administrator'),
  ...(await Promise.all(scopeNames.map(withOnly))).flat(),
]

/** What service.md 5.4 and oauth.md 3.10 say, once more and on their own: the code of the refusal, or that there is none. */
function verdict(access: Access, sender: Sender): string {
  if (access === 'anyone') return 'let through'
  if (access === 'client') return 'invalid_client'
  if (access === 'visitor') return sender.kind === 'nobody' ? 'let through' : verdict('meeting:join', sender)
  if (sender.kind === 'nobody') return 'unauthorized'
  if (isScope(access)) {
    return sender.kind === 'session' || sender.scope === access ? 'let through' : 'insufficient_scope'
  }
  if (access === 'account') return sender.kind === 'app' ? 'app_token_refused' : 'let through'
  if (sender.kind !== 'session') return 'session_required'
  return access === 'session' || access === sender.right ? 'let through' : `${access}_required`
}

const statuses: Record<string, number> = {
  ...{ invalid_client: 401, unauthorized: 401, insufficient_scope: 403, app_token_refused: 403, session_required: 403 },
  ...{ administrator_required: 403, reviewer_required: 403 },
}

const metadata = `resource_metadata="${publicAddress}/.well-known/oauth-protected-resource"`

/** The WWW-Authenticate of a refusal (RFC 6750, 3). */
function challengeOf(access: Access, code: string): string | null {
  if (code === 'unauthorized') return `Bearer ${metadata}`
  const scope = access === 'visitor' ? 'meeting:join' : access
  if (code === 'insufficient_scope') return `Bearer error="insufficient_scope", scope="${scope}", ${metadata}`
  return null
}

/** What is named in the path does not exist and the body is empty: whoever is let through is told so, and changes nothing. */
function send({ method, path, form }: Endpoint, { token }: Sender): Promise<Answer> {
  const address = path.replaceAll(/:\w+/g, '00000000-0000-7000-8000-000000000000')
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
  if (form) return postForm(service, address, {}, headers)
  return ask(service, method, address, method === 'GET' ? undefined : {}, headers)
}

function told({ status, body, headers }: Answer, access: Access): string {
  const code = body?.code ?? body?.error
  if (status >= 500 || status === 405) return `${status} ${code}`
  if (statuses[code] === undefined) return status === 401 ? `401 ${code}` : 'let through'
  const challenge = headers.get('www-authenticate')
  // With a header of the wrong scheme, a client is told of the right one (RFC 6749, 5.2).
  const isRight = code === 'invalid_client' || challenge === challengeOf(access, code)
  return status === statuses[code] && isRight ? code : `${status} ${code}, WWW-Authenticate: ${challenge}`
}

// Signing out ends the very sessions that the others are tried with.
const inOrder = endpoints.toSorted((one, other) => Number(one.name === 'signOut') - Number(other.name === 'signOut'))

for (const endpoint of inOrder) {
  const { method, path, access } = endpoint
  test(`${method} ${path} lets in whom its contract names (${access}), and refuses every other with the right code`, async () => {
    const judge = async (sender: Sender) => [sender.name, told(await send(endpoint, sender), access)]
    const answered = Object.fromEntries(await Promise.all(senders.map(judge)))
    assert.deepEqual(answered, Object.fromEntries(senders.map((sender) => [sender.name, verdict(access, sender)])))
  })
}

test('the matrix knows every kind of access, and each kind both opens and refuses something', () => {
  const verdicts = new Set(endpoints.flatMap(({ access }) => senders.map((sender) => verdict(access, sender))))
  assert.deepEqual([...verdicts].toSorted(), ['let through', ...Object.keys(statuses)].toSorted())
  // Doors are open to everybody; meeting:join opens them in one's own name.
  const opening = new Set(endpoints.map(({ access }) => (access === 'visitor' ? 'meeting:join' : access)))
  assert.deepEqual(
    scopeNames.filter((scope) => !opening.has(scope)),
    [],
  )
})

test('no app reaches anything of accounts, apps, reviews or administration, whatever its scopes', () => {
  const open: Access[] = ['anyone', 'client', 'visitor']
  const closed = endpoints.filter(({ access }) => !open.includes(access) && !isScope(access))
  const apps = senders.filter(({ kind }) => kind === 'app')
  const codes = new Set(closed.flatMap(({ access }) => apps.map((sender) => statuses[verdict(access, sender)])))
  assert.deepEqual([...codes], [403])
  const tags = new Set(endpoints.filter(({ access }) => isScope(access)).map(({ tag }) => tag))
  assert.deepEqual([...tags].toSorted(), ['Meetings', 'OAuth', 'Profile', 'Rooms'])
})
