import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { build, type Rolldown } from 'vite'

/**
 * A small third-party app: its page joins Parley meetings as the person who signs in here. The secret and the refresh
 * tokens stay on this server; the page receives only a current access token.
 */
const { CLIENT_ID = '', CLIENT_SECRET = '', PORT = '8080' } = process.env
const PARLEY = (process.env.PARLEY ?? 'http://localhost:3000').replace(/\/+$/, '')
const origin = `http://localhost:${PORT}`
const callback = `${origin}/callback`

type Tokens = { access_token: string; refresh_token: string; expires_in: number; expiresAtMs: number }
type Session = { state: string; verifier: string; tokens?: Tokens }
/** By the value of the browser's cookie. A real app keeps them in its database. */
const sessions = new Map<string, Session>()

const files = await buildPage()
const pages: Record<
  string,
  (request: IncomingMessage, response: ServerResponse, url: URL) => Promise<unknown> | unknown
> = {
  '/login': login,
  '/callback': finishLogin,
  '/token': replyWithToken,
  '/settings': (_request, response) => reply(response, 200, { parley: PARLEY }),
}

createServer((request, response) => {
  const url = new URL(request.url ?? '/', origin)
  const file = files.get(url.pathname === '/' ? 'index.html' : url.pathname.slice(1))
  const page = pages[url.pathname]
  if (file !== undefined) return response.writeHead(200, { 'content-type': file.type }).end(file.content)
  if (page === undefined) return reply(response, 404, {})
  return Promise.resolve(page(request, response, url)).catch(({ message }) => reply(response, 400, { message }))
}).listen(Number(PORT), 'localhost', () => console.log(`Planner serves at ${origin}`))

function login(_request: IncomingMessage, response: ServerResponse) {
  const [id, state, verifier] = [random(), random(), random()]
  sessions.set(id, { state, verifier })
  const asked = new URLSearchParams({
    client_id: CLIENT_ID,
    redirect_uri: callback,
    response_type: 'code',
    scope: 'meeting:join',
    state,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  const cookie = `planner=${id}; Path=/; HttpOnly; SameSite=Lax`
  response.writeHead(303, { location: `${PARLEY}/oauth2/authorize?${asked}`, 'set-cookie': cookie }).end()
}

async function finishLogin(request: IncomingMessage, response: ServerResponse, { searchParams }: URL) {
  const session = sessionOf(request)
  const [code, state, issuer] = ['code', 'state', 'iss'].map((name) => searchParams.get(name))
  if (session === undefined || !code || state !== session.state || issuer !== PARLEY)
    throw new Error('Not what was asked.')
  session.tokens = await askForTokens({
    grant_type: 'authorization_code',
    code,
    redirect_uri: callback,
    code_verifier: session.verifier,
  })
  response.writeHead(303, { location: '/' }).end()
}

async function replyWithToken(request: IncomingMessage, response: ServerResponse) {
  const session = sessionOf(request)
  // Another site can neither make a browser send this with the cookie nor read the reply.
  if (request.method !== 'POST' || session?.tokens === undefined) return reply(response, 401, {})
  const { refresh_token, expiresAtMs } = session.tokens
  if (Date.now() > expiresAtMs) session.tokens = await askForTokens({ grant_type: 'refresh_token', refresh_token })
  reply(response, 200, { accessToken: session.tokens.access_token })
}

async function askForTokens(form: Record<string, string>): Promise<Tokens> {
  const response = await fetch(`${PARLEY}/api/oauth2/v2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${CLIENT_ID}:${CLIENT_SECRET}`).toString('base64')}` },
    body: new URLSearchParams(form),
  })
  if (!response.ok) throw new Error(`Parley gave no tokens: ${response.status}`)
  const tokens: Tokens = await response.json()
  // A minute early, because clocks differ.
  return { ...tokens, expiresAtMs: Date.now() + (tokens.expires_in - 60) * 1000 }
}

const sessionOf = ({ headers: { cookie = '' } }: IncomingMessage) =>
  sessions.get(/(?:^|; )planner=([^;]+)/.exec(cookie)?.[1] ?? '')

const random = () => randomBytes(32).toString('base64url')

function reply(response: ServerResponse, code: number, body: object) {
  response
    .writeHead(code, { 'content-type': 'application/json', 'cache-control': 'no-store' })
    .end(JSON.stringify(body))
}

/** The page and what it imports, in memory. */
async function buildPage() {
  const built = await build({
    root: import.meta.dirname,
    configFile: false,
    logLevel: 'error',
    build: { write: false, target: 'esnext', modulePreload: false },
  })
  const { output } = built as Rolldown.RolldownOutput
  return new Map(
    output.map((file) => {
      const type = file.fileName.endsWith('.html') ? 'text/html' : 'text/javascript'
      return [file.fileName, { type, content: file.type === 'chunk' ? file.code : file.source }] as const
    }),
  )
}
