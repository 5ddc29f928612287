import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'
import pg from 'pg'
import { createOidcAdapter, oidcTables } from './oidc-postgres-adapter.ts'

/**
 * The peer of our authorization server, in a separate process: oidc-provider with its state in PostgreSQL, configured
 * like ours: opaque tokens, rotation, clients in the database, no ID token to sign.
 */
const poolSize = 16
const { DATABASE_URL, CLIENT_ID, CLIENT_SECRET, REDIRECT_URI } = process.env
if (!CLIENT_ID || !CLIENT_SECRET || !REDIRECT_URI)
  throw new Error('CLIENT_ID, CLIENT_SECRET and REDIRECT_URI are needed')
const clientId = CLIENT_ID
const redirectUri = REDIRECT_URI
const scope = 'user:read meeting:create meeting:read'
const dayS = 24 * 60 * 60

const pool = new pg.Pool({ connectionString: DATABASE_URL, max: poolSize })
/** Tokens that are issued before the measurement do not each need an fsync. */
const mint = new pg.Pool({ connectionString: DATABASE_URL, max: poolSize, options: '-c synchronous_commit=off' })
let current = mint
await pool.query(oidcTables)
// As in Parley, clients are rows that can be registered, changed and suspended at run time.
await createOidcAdapter(pool, 'Client').upsert(
  clientId,
  {
    client_id: clientId,
    client_secret: CLIENT_SECRET,
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  },
  0,
)

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const provider = new Provider('http://127.0.0.1', {
  adapter: class {
    constructor(model: string) {
      const [measured, minted] = [createOidcAdapter(pool, model), createOidcAdapter(mint, model)]
      // biome-ignore lint/correctness/noConstructorReturn: oidc-provider makes its adapters with `new`
      return new Proxy(measured, {
        get: (_target, name) => Reflect.get(current === mint ? minted : measured, name),
      })
    }
  } as unknown as new (
    model: string,
  ) => ReturnType<typeof createOidcAdapter>,
  scopes: scope.split(' '),
  jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'ES256' }] },
  clientDefaults: { id_token_signed_response_alg: 'ES256' },
  cookies: { keys: [randomBytes(32).toString('hex')] },
  features: { devInteractions: { enabled: false } },
  findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
  issueRefreshToken: () => true,
  rotateRefreshToken: () => true,
  expiresWithSession: () => false,
  pkce: { required: () => false },
  ttl: { AuthorizationCode: dayS, AccessToken: dayS, RefreshToken: 60 * dayS, Grant: 365 * dayS },
})

const http = createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1')
  if (pathname === '/mint') {
    const minted = await mintAll(String(searchParams.get('kind')), Number(searchParams.get('count')))
    response.end(JSON.stringify(minted))
    return
  }
  if (current === mint) current = pool
  await answer(request, response)
})
const answer = provider.callback()
http.listen(0, '127.0.0.1', () => {
  console.log(`oidc-provider serves at http://127.0.0.1:${(http.address() as AddressInfo).port} `)
})
process.once('SIGTERM', () => process.exit(0))

/** Create as many accounts with grants as in our service, and codes or refresh tokens for them. */
async function mintAll(kind: string, count: number): Promise<string[]> {
  current = mint
  const client = await provider.Client.find(clientId)
  if (client === undefined) throw new Error('The client is gone')
  const accounts = 500
  const grants = await inTurns(accounts, async (place) => {
    const grant = new provider.Grant({ accountId: `account-${place}`, clientId })
    grant.addOIDCScope(scope)
    return { accountId: `account-${place}`, grantId: await grant.save() }
  })
  return inTurns(count, (place) => {
    const { accountId = '', grantId = '' } = grants[place % accounts] ?? {}
    const about = {
      accountId,
      grantId,
      client,
      scope,
      gty: 'authorization_code',
      authTime: Math.floor(Date.now() / 1000),
    }
    const token =
      kind === 'code' ? new provider.AuthorizationCode({ ...about, redirectUri }) : new provider.RefreshToken(about)
    return token.save()
  })
}

async function inTurns<T>(count: number, make: (place: number) => Promise<T>): Promise<T[]> {
  const made: T[] = []
  for (let place = 0; place < count; place += poolSize) {
    const places = Array.from({ length: Math.min(poolSize, count - place) }, (_, at) => place + at)
    made.push(...(await Promise.all(places.map(make))))
  }
  return made
}
