import { spawn } from 'node:child_process'
import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type AuthorizationServer, findServer, readAddress, requestTokens, revoke } from './authorization-server.ts'
import { random } from './computer-inputs.ts'
import { removeSession, saveSession } from './sessions.ts'
import { CommandError, type Terminal } from './terminal.ts'

const scope = 'user:read meeting:create meeting:delete meeting:read meeting:update'

/** Time to sign in and to consent. */
const waitsMs = 5 * 60_000

/** Time for the browser to show the last page. */
const lastPageMs = 2_000

/**
 * Sign in with the browser (RFC 8252): the code comes back to a port of this computer. Another program or page that
 * sends something there lacks `state`, and a code is worth nothing without the verifier (RFC 7636).
 */
export async function login(terminal: Terminal, address: string, opensBrowser: boolean): Promise<string> {
  const server = await findServer(readAddress(address))
  const [state, verifier] = [random('base64url'), random('base64url')]
  const receiver = await receiveCode(server, state)
  try {
    const link = `${server.authorizationEndpoint}?${new URLSearchParams({
      response_type: 'code',
      client_id: server.clientId,
      redirect_uri: receiver.redirectUri,
      scope,
      state,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    })}`
    terminal.note(`Sign in at this address:\n\n${link}\n`)
    if (opensBrowser) openBrowser(terminal.env, link)
    const code = await receiver.code
    const tokens = await requestTokens(server, {
      grant_type: 'authorization_code',
      code,
      redirect_uri: receiver.redirectUri,
      code_verifier: verifier,
    })
    if (tokens === undefined) throw new CommandError('The service did not accept the code. Sign in again.')
    await saveSession(terminal.env, { server, ...tokens })
    return server.issuer
  } finally {
    receiver.close()
  }
}

/** End the access, and forget the tokens; these are forgotten too where the service cannot be reached. */
export async function logout(terminal: Terminal, base: string | undefined): Promise<string> {
  const session = await removeSession(terminal.env, base)
  if (session === undefined) throw new CommandError('You are not signed in.')
  await revoke(session.server, session.refreshToken)
  return session.server.issuer
}

/** Listen on a free port of the loopback address until the code with the state has come. */
async function receiveCode({ issuer }: AuthorizationServer, state: string) {
  let waiter: { resolve(code: string): void; reject(error: Error): void } | undefined
  const code = new Promise<string>((resolve, reject) => {
    waiter = { resolve, reject }
  })
  // Awaited later.
  code.catch(() => {})
  let outcome = ''
  const http = createServer((request, response) => {
    const host = `127.0.0.1:${(http.address() as AddressInfo | null)?.port}`
    // A name that a page lets point here (DNS rebinding) is another host.
    if (request.method !== 'GET' || request.headers.host !== host)
      return send(response, 400, 'This is not the sign-in.')
    const { pathname, searchParams } = new URL(request.url ?? '/', `http://${host}`)
    if (pathname === '/done' && outcome !== '') return send(response, 200, outcome)
    if (pathname !== '/callback') return send(response, 404, 'There is nothing here.')
    const sent = searchParams.getAll('state')
    if (outcome !== '' || sent.length !== 1 || !isEqual(sent[0] ?? '', state)) {
      return send(response, 400, 'This answer does not belong to the sign-in.')
    }
    const [received, error] = [searchParams.get('code'), searchParams.get('error')]
    // An answer of another service (RFC 9207).
    if (searchParams.get('iss') !== issuer) {
      outcome = 'The answer came from another service.'
      waiter?.reject(new CommandError(outcome))
    } else if (received === null) {
      outcome = 'You are not signed in.'
      const why = error === 'access_denied' ? 'access was declined' : (searchParams.get('error_description') ?? error)
      waiter?.reject(new CommandError(`${outcome.slice(0, -1)}: ${why}.`))
    } else {
      outcome = 'You are signed in. Close this window, and go on in the terminal.'
      waiter?.resolve(received)
    }
    // The code leaves the address that the browser shows.
    response.writeHead(303, { ...headers, location: '/done' }).end()
  })
  await new Promise<void>((resolve, reject) => {
    http.once('error', reject)
    http.listen(0, '127.0.0.1', resolve)
  })
  const timer = setTimeout(() => waiter?.reject(new CommandError('No one has signed in within five minutes.')), waitsMs)
  return {
    redirectUri: `http://127.0.0.1:${(http.address() as AddressInfo).port}/callback`,
    code,
    close() {
      clearTimeout(timer)
      http.close()
      setTimeout(() => http.closeAllConnections(), outcome === '' ? 0 : lastPageMs).unref()
    },
  }
}

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  connection: 'close',
}

const send = (response: ServerResponse, status: number, sentence: string) =>
  void response
    .writeHead(status, headers)
    .end(
      '<!doctype html><html lang="en"><meta name="viewport" content="width=device-width">' +
        `<meta name="color-scheme" content="light dark"><title>Parley</title><p>${sentence}</p></html>`,
    )

function isEqual(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)]
  return first.length === second.length && timingSafeEqual(first, second)
}

/** Open the person's browser. Where that fails, the person opens the address, which was printed. */
function openBrowser(env: Terminal['env'], link: string): void {
  const [program, ...words] = env.BROWSER
    ? [env.BROWSER]
    : process.platform === 'darwin'
      ? ['open']
      : process.platform === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler']
        : ['xdg-open']
  const opened = spawn(program, [...words, link], { detached: true, stdio: 'ignore' })
  opened.on('error', () => {})
  opened.unref()
}
