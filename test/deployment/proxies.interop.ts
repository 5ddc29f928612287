import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { JoinRequest, SignalResponse, WrappedJoinRequest } from '@livekit/protocol'
import { WebSocket } from 'ws'
import { makeCertificate } from '../../apps/server/test/certificate.ts'
import { type Person, password, signUp, standUp } from '../../apps/server/test/people.ts'
import { startApp } from '../../apps/server/test/start-app.ts'
import { between, minuteMs, scheduleQuietly } from '../../e2e/meetings/meetings.ts'
import { startDebianProcess } from '../helpers/debian-process.ts'
import { freePorts } from '../helpers/free-port.ts'

/** Run Debian's nginx and Caddy in front of Parley with the examples of docs/operations.md. */

const guide = await readFile(new URL('../../docs/operations.md', import.meta.url), 'utf8')
const example = (language: string) =>
  new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(guide)?.[1] ?? ''

const folder = await mkdtemp(join(tmpdir(), 'parley-proxy-'))
after(() => rm(folder, { recursive: true, force: true }))
const { cert, key } = makeCertificate('localhost')
const [certFile, keyFile] = [join(folder, 'localhost.pem'), join(folder, 'localhost.key')]
await writeFile(certFile, cert)
await writeFile(keyFile, key)

/** @throws Error when the example lacks a part that has to be replaced */
function replace(text: string, changes: Record<string, string>): string {
  return Object.entries(changes).reduce((changed, [old, by]) => {
    assert.ok(changed.includes(old), `the example has no ${old}`)
    return changed.replaceAll(old, by)
  }, text)
}

async function startNginx(port: number, parleyPort: number) {
  const server = replace(example('nginx'), {
    'listen 443 ssl http2;': `listen 127.0.0.1:${port} ssl http2;`,
    'meet.example.org;': 'localhost;',
    '/etc/ssl/meet.example.org.pem': certFile,
    '/etc/ssl/meet.example.org.key': keyFile,
    '127.0.0.1:3000': `127.0.0.1:${parleyPort}`,
  })
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  const file = join(folder, 'nginx.conf')
  const log = join(folder, 'access.log')
  const main = `daemon off; master_process off; pid ${folder}/nginx.pid; error_log stderr; events {}`
  await writeFile(file, `${main}\nhttp { ${paths.join(' ')} access_log ${log};\n${server}}`)
  return startDebianProcess({
    command: 'nginx',
    arguments: ['-p', folder, '-c', file],
    isReady: () => get(port, '/readyz').then(({ status }) => status === 200),
  })
}

async function startCaddy(port: number, parleyPort: number) {
  const site = replace(example('caddy'), {
    'meet.example.org {': `https://localhost:${port} {\n  bind 127.0.0.1\n  tls ${certFile} ${keyFile}`,
    '127.0.0.1:3000': `127.0.0.1:${parleyPort}`,
  })
  const file = join(folder, 'Caddyfile')
  await writeFile(file, `{\n  admin off\n  auto_https disable_redirects\n}\n${site}`)
  return startDebianProcess({
    command: 'caddy',
    arguments: ['run', '--adapter', 'caddyfile', '--config', file],
    environment: { HOME: folder },
    isReady: () => get(port, '/readyz').then(({ status }) => status === 200),
  })
}

const get = (port: number, path: string) => send(port, 'GET', path)

/** Send one request through the proxy, trusting its certificate. */
function send(port: number, method: string, path: string, body?: object, headers: Record<string, string> = {}) {
  return new Promise<{ status: number; body: string }>((resolve, reject) => {
    // An address other than the proxy's own.
    const visitor = { localAddress: '127.0.0.2', family: 4 }
    const options = { ...visitor, host: 'localhost', port, method, path, ca: cert, agent: false as const }
    const sent = request({ ...options, headers: { 'content-type': 'application/json', ...headers } }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part
      })
      response.once('end', () => resolve({ status: response.statusCode ?? 0, body: text }))
    })
    sent.once('error', reject)
    sent.end(body && JSON.stringify(body))
  })
}

/** A stream that stays open, and its content so far. */
function listen(port: number, path: string, { token }: Person) {
  let text = ''
  let wake = () => {}
  const headers = { authorization: `Bearer ${token}` }
  const sent = request({ host: 'localhost', port, path, ca: cert, agent: false, headers }, (response) => {
    response.setEncoding('utf8').on('data', (part: string) => {
      text += part
      wake()
    })
  })
  sent.on('error', () => {})
  sent.end()
  return {
    async until(isThere: (text: string) => boolean) {
      while (!isThere(text)) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
    close: () => sent.destroy(),
  }
}

/** Connect as livekit-client does. @returns the engine's first message */
async function firstSignal(url: string, token: string): Promise<SignalResponse> {
  const wrapped = new WrappedJoinRequest({
    joinRequest: new JoinRequest({ connectionSettings: { autoSubscribe: true } }).toBinary(),
  })
  const parameters = new URLSearchParams({
    access_token: token,
    join_request: Buffer.from(wrapped.toBinary()).toString('base64url'),
  })
  const socket = new WebSocket(`${url}/rtc/v1?${parameters}`, { ca: cert })
  try {
    return await new Promise((resolve, reject) => {
      socket.once('error', reject)
      socket.once('message', (data: Buffer) => resolve(SignalResponse.fromBinary(data)))
    })
  } finally {
    socket.terminate()
  }
}

for (const [name, startProxy] of Object.entries({ nginx: startNginx, Caddy: startCaddy })) {
  test(`Debian’s ${name} passes HTTPS, unbuffered streams and the signalling of a call`, async () => {
    const [port = 0, parleyPort = 0] = await freePorts(2)
    const app = await startApp({
      port: parleyPort,
      media: 'engine',
      emails: 'dropped',
      environment: { BASE_URL: `https://localhost:${port}`, TRUST_PROXY: '127.0.0.1', SIGN_UP: 'open' },
    })
    await using _proxy = await startProxy(port, parleyPort)
    const alice = await signUp(app, 'Alice')
    const meeting = await scheduleQuietly(
      alice,
      standUp({ ...between(5 * minuteMs, 35 * minuteMs), advancedOptions: { waitingRoom: true } }),
    )
    const room = `/api/rooms/${meeting.svcMeetId}`

    const list = listen(port, `${room}/waiting`, alice)
    await list.until((text) => text.includes('"waiting":[]'))
    const asked = await send(port, 'POST', `${room}/enter`, { pin: meeting.pin, name: 'Gus' })
    assert.equal(JSON.parse(asked.body).state, 'waiting', asked.body)
    await list.until((text) => text.includes('"name":"Gus"'))
    list.close()

    const entered = await send(port, 'POST', `${room}/enter`, { pin: meeting.pin }, { authorization: alice.token })
    const { media } = JSON.parse(entered.body)
    assert.equal(media.url, `wss://localhost:${port}/media`)
    assert.equal((await firstSignal(media.url, media.token)).message.case, 'join')
    await assert.rejects(firstSignal(media.url, 'none'), /401/)

    // Parley must use the address that the proxy saw, not the one that the client claims.
    const claimed = { 'x-forwarded-for': '192.0.2.77' }
    const signedIn = await send(port, 'POST', '/api/auth/sign-in', { email: alice.email, password }, claimed)
    const { token } = JSON.parse(signedIn.body)
    const sessions = await send(port, 'GET', '/api/auth/sessions', undefined, { authorization: token })
    const addresses = JSON.parse(sessions.body).sessions.map(({ address }: { address: string }) => address)
    assert.deepEqual(addresses.toSorted(), ['127.0.0.1', '127.0.0.2'])
    assert.doesNotMatch(await readFile(join(folder, 'access.log'), 'utf8').catch(() => ''), /access_token/)
  })
}
