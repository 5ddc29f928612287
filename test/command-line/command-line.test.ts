import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { secureRandom } from '../../apps/server/src/platform/random.ts'
import { newWebhookSecret } from '../../apps/server/src/webhooks/webhook-secret.ts'
import { browserOf } from '../../apps/server/test/oauth/assistants.ts'
import { arrive } from '../../apps/server/test/oauth/consenting-person.ts'
import { type Person, signUp, standUp } from '../../apps/server/test/people.ts'
import { expectOk } from '../../apps/server/test/replies.ts'
import { startApp } from '../../apps/server/test/start-app.ts'
import { startReceiver } from '../../apps/server/test/webhooks/receiver.ts'
import { freePorts } from '../helpers/free-port.ts'

/** The command line against a service: every command, and what others on the computer may send to the sign-in. */

const program = fileURLToPath(new URL('../../packages/command-line/src/main.ts', import.meta.url))
const [port = 0] = await freePorts(1)
const app = await startApp({ emails: 'dropped', port, environment: { BASE_URL: `http://localhost:${port}` } })
const { baseUrl } = app.config
const alice = await signUp(app, 'Alice')
const home = await mkdtemp(join(tmpdir(), 'parley-command-line-'))
after(() => rm(home, { recursive: true, force: true }))

type Settings = { folder?: string; variables?: Record<string, string> }
const environmentOf = ({ folder = home, variables = {} }: Settings) => ({
  PATH: process.env.PATH,
  HOME: folder,
  XDG_CONFIG_HOME: folder,
  TZ: 'Asia/Kolkata',
  // Each command is a process that reads the same modules.
  ...(process.env.NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }),
  ...variables,
})

/** Run a command to its end. */
async function parley(words: readonly string[], settings: Settings = {}) {
  const options = { env: environmentOf(settings), timeout: 60_000 }
  try {
    return { code: 0, ...(await promisify(execFile)(process.execPath, [program, ...words], options)) }
  } catch (error) {
    return error as { code: number; stdout: string; stderr: string }
  }
}

function start(words: readonly string[], settings: Settings = {}) {
  const child = spawn(process.execPath, [program, ...words], { env: environmentOf(settings) })
  after(() => child.kill())
  const lines: string[] = []
  const waiting: { pattern: RegExp; resolve(line: string): void }[] = []
  for (const stream of [child.stdout, child.stderr]) {
    createInterface(stream).on('line', (line) => {
      lines.push(line)
      for (const { pattern, resolve } of waiting) if (pattern.test(line)) resolve(line)
    })
  }
  const line = (pattern: RegExp) =>
    new Promise<string>((resolve) => {
      const found = lines.find((one) => pattern.test(one))
      if (found !== undefined) resolve(found)
      else waiting.push({ pattern, resolve })
    })
  return { child, line, lines }
}

const ended = (child: ChildProcess) => new Promise<number | null>((resolve) => child.once('close', resolve))

/** Consent in the browser, and return the address at the program to which the browser is sent. */
async function consent(person: Person, link: string): Promise<string> {
  const browser = browserOf(app, person)
  const page = await arrive(browser, person, link)
  assert.equal(page.status, 200, page.text)
  const { location = '' } = await browser.submit(page, { decision: 'allow' })
  return location
}

/** Sign in as a person does. */
async function signIn(settings: Settings = {}) {
  const running = start(['login', baseUrl, '--no-browser'], settings)
  const over = ended(running.child)
  const callback = await consent(alice, await running.line(/^http:\/\/localhost/))
  return { running, callback, over }
}

test('it signs in with the browser, and keeps tokens that only the person can read', async () => {
  const { callback, over, running } = await signIn()
  const answer = await fetch(callback, { redirect: 'manual' })
  assert.deepEqual([answer.status, answer.headers.get('location')], [303, '/done'], 'The code leaves the address')
  const last = await fetch(new URL('/done', callback))
  assert.match(await last.text(), /You are signed in/)
  assert.match(last.headers.get('content-security-policy') ?? '', /default-src 'none'/)
  assert.equal(await over, 0)
  assert.ok(running.lines.includes(`You are signed in at ${baseUrl}`))
  const file = join(home, 'parley/sessions.json')
  assert.equal((await stat(file)).mode & 0o777, 0o600)
  assert.equal((await stat(join(home, 'parley'))).mode & 0o777, 0o700)
  const { accessToken, refreshToken } = JSON.parse(await readFile(file, 'utf8')).services[baseUrl]
  assert.ok(accessToken.length > 20 && refreshToken.length > 20)
  for (const secret of [accessToken, refreshToken, new URL(callback).searchParams.get('code') ?? '']) {
    assert.ok(!running.lines.join('\n').includes(secret), 'No secret is printed')
  }
})

test('an answer without the state, with another, twice, by another name or of another service signs nobody in', async () => {
  const folder = await mkdtemp(join(home, 'attacked-'))
  const { callback, over, running } = await signIn({ folder })
  const statusOf = async (address: URL | string, init: RequestInit = {}) =>
    (await fetch(address, { redirect: 'manual', ...init })).status
  const changed = (change: (parameters: URLSearchParams) => void) => {
    const url = new URL(callback)
    change(url.searchParams)
    return url
  }
  assert.equal(await statusOf(changed((all) => all.delete('state'))), 400)
  assert.equal(await statusOf(changed((all) => all.set('state', 'guess'))), 400)
  assert.equal(await statusOf(changed((all) => all.append('state', all.get('state') ?? ''))), 400)
  assert.equal(await statusOf(callback, { method: 'POST' }), 400)
  assert.equal(await statusOf(new URL('/done', callback)), 404)
  const named = new URL(callback)
  named.hostname = 'localhost'
  assert.notEqual(await statusOf(named).catch(() => 0), 303, 'A name that leads here is not the address')
  assert.equal(running.child.exitCode, null, 'It still waits for the right answer')
  assert.equal(await statusOf(changed((all) => all.set('iss', 'https://evil.test'))), 303)
  assert.equal(await over, 1)
  assert.ok(!existsSync(join(folder, 'parley/sessions.json')))
  assert.match(running.lines.join('\n'), /another service/)
})

test('tokens go to https or to this computer, and to the service that was named', async () => {
  assert.match((await parley(['login', 'http://meet.example.org'])).stderr, /must begin with https/)
  assert.match((await parley(['login', `http://127.0.0.1:${port}`])).stderr, /calls itself http:\/\/localhost/)
  for (const path of ['//evil.test/', 'https://evil.test/', '@evil.test/', '.evil.test/']) {
    const { code, stderr } = await parley(['api', 'GET', path])
    assert.deepEqual([code, /must begin with one slash/.test(stderr)], [2, true], path)
  }
})

test('meetings are scheduled, listed and cancelled, for people and as JSON', async () => {
  const words = ['meetings', 'new', 'Design review', '--start', '2030-01-07T09:00', '--minutes', '45', '--quiet']
  const made = await parley([...words, '--invite', 'bob@example.org', '--invite', 'carol@example.org', '--json'])
  assert.equal(made.code, 0, made.stderr)
  const meeting = JSON.parse(made.stdout)
  assert.deepEqual(
    [meeting.topic, meeting.startTime, meeting.endTime, meeting.participants.length],
    ['Design review', '2030-01-07T03:30:00.000Z', '2030-01-07T04:15:00.000Z', 2],
  )
  const listed = await parley(['meetings', 'list'])
  assert.equal(listed.stdout, `${meeting._id}  2030-01-07 09:00  Design review\n`)
  assert.equal(JSON.parse((await parley(['meetings', 'list', '--json'])).stdout).totalCount, 1)
  assert.equal((await parley(['meetings', 'list', '--past'])).stdout, '')

  const cancelled = await parley(['meetings', 'cancel', meeting._id, '--quiet'])
  assert.deepEqual([cancelled.code, /cancelled/i.test(cancelled.stdout)], [0, true])
  assert.equal((await parley(['meetings', 'list'])).stdout, '')
  const again = await parley(['meetings', 'cancel', 'unknown'])
  assert.deepEqual([again.code, /meeting_not_found/.test(again.stderr)], [1, true])
})

test('a series is cancelled only as far as the person says', async () => {
  const repeatOptions = { repeat: 'weekly', daysOfWeek: [0, 1, 0, 0, 1, 0, 0], timeZone: 'UTC' }
  const series = standUp({ topic: 'Stand-up', repeatOptions })
  const { meetingDetails } = await expectOk(alice.send('POST', '/api/meeting?sendUpdates=none', series))
  const refused = await parley(['meetings', 'cancel', meetingDetails._id])
  assert.deepEqual([refused.code, /is a series/.test(refused.stderr)], [2, true])
  const both = await parley(['meetings', 'cancel', meetingDetails._id, '--all', '--date', '2030-01-07T09:00'])
  assert.equal(both.code, 2)
  assert.equal((await parley(['meetings', 'cancel', meetingDetails._id, '--all', '--quiet'])).code, 0)
})

test('any request is sent with the token, and a refusal is an exit code', async () => {
  const profile = await parley(['api', 'GET', '/api/user/profile'])
  assert.equal(JSON.parse(profile.stdout).email, alice.email)
  const refused = await parley(['api', 'POST', '/api/meeting', '--data', '{}'])
  assert.deepEqual([refused.code, JSON.parse(refused.stdout).code], [1, 'invalid_request'])
  const { token } = await expectOk(
    alice.send('POST', '/api/auth/tokens', { name: 'Script', scopes: ['meeting:read'] }),
    201,
  )
  const variables = { PARLEY_URL: baseUrl, PARLEY_TOKEN: token }
  const unknown = { folder: join(home, 'nobody'), variables }
  assert.equal((await parley(['meetings', 'list'], unknown)).code, 0, 'A script needs no sign-in')
  assert.match((await parley(['meetings', 'list'], { folder: join(home, 'nobody') })).stderr, /Sign in first/)
})

test('events are printed, and forwarded with the signature of webhooks', async () => {
  // What the tests before have scheduled is no event of this one.
  await app.publishEvents()
  const receiver = await startReceiver()
  const secret = newWebhookSecret(secureRandom)
  receiver.secrets.push(secret)
  const words = ['events', 'listen', '--types', 'meeting.created', '--forward-to', receiver.url]
  const { child, line, lines } = start(words, { variables: { WEBHOOK_SECRET: secret } })
  const over = ended(child)
  const creating = setInterval(async () => {
    await alice.send('POST', '/api/meeting?sendUpdates=none', standUp({ topic: 'Followed' }))
    await app.publishEvents()
  }, 300)
  const printed = await line(/meeting\.created/)
  clearInterval(creating)
  assert.match(printed, /^2\S+Z {2}meeting\.created {2}\S+ {2}204$/)
  assert.deepEqual([receiver.taken[0]?.data.topic, receiver.forged], ['Followed', []])
  child.kill('SIGINT')
  assert.equal(await over, 0)
  assert.match(lines.at(-1) ?? '', /^Go on with: --after \S+$/)
  assert.ok(!lines.join('\n').includes(secret))
  assert.match((await parley(['events', 'listen', '--types', 'meeting.crated'])).stderr, /is not a type of events/)
})

test('an expired token is renewed, and text that would command the terminal is not printed', async () => {
  const file = join(home, 'parley/sessions.json')
  const sessions = JSON.parse(await readFile(file, 'utf8'))
  const former = sessions.services[baseUrl].accessToken
  sessions.services[baseUrl].expiresAt = 0
  await writeFile(file, JSON.stringify(sessions))
  const [one, other] = await Promise.all([parley(['meetings', 'list']), parley(['meetings', 'list'])])
  assert.deepEqual([one.code, other.code], [0, 0], one.stderr + other.stderr)
  assert.notEqual(JSON.parse(await readFile(file, 'utf8')).services[baseUrl].accessToken, former)
  assert.equal((await stat(file)).mode & 0o777, 0o600)
  const { stderr } = await parley(['\u001b[31mred'])
  assert.ok(!stderr.includes('\u001b'))
})

test('completions know every command and its options', async () => {
  const { stdout } = await parley(['completion', 'bash'])
  const complete = async (words: readonly string[]) => {
    const script = `${stdout}\nCOMP_WORDS=(${words.join(' ')} ""); COMP_CWORD=${words.length}; _parley; echo "\${COMPREPLY[*]}"`
    return (await promisify(execFile)('bash', ['-c', script])).stdout.trim().split(' ')
  }
  assert.deepEqual(await complete(['parley']), ['login', 'logout', 'meetings', 'events', 'api', 'completion'])
  assert.deepEqual(await complete(['parley', 'meetings']), ['list', 'new', 'cancel'])
  assert.ok((await complete(['parley', 'meetings', 'list'])).includes('--past'))
  assert.ok((await complete(['parley', 'login'])).includes('--no-browser'))
  assert.match((await parley(['completion', 'zsh'])).stdout, /bashcompinit/)
  assert.match((await parley(['completion', 'fish'])).stdout, /__fish_seen_subcommand_from listen' -l forward-to/)
  assert.equal((await parley(['completion', 'tcsh'])).code, 2)
})

test('signing out revokes the access and forgets the tokens', async () => {
  const file = join(home, 'parley/sessions.json')
  const { accessToken } = JSON.parse(await readFile(file, 'utf8')).services[baseUrl]
  assert.equal((await parley(['logout'])).code, 0)
  assert.ok(!(await readFile(file, 'utf8')).includes(accessToken))
  const profile = await fetch(`${app.base}/api/user/profile`, { headers: { authorization: `Bearer ${accessToken}` } })
  assert.equal(profile.status, 401)
  assert.equal((await parley(['logout'])).code, 1)
})

test('a wrong call says how to call it', async () => {
  for (const words of [['unknown'], ['meetings', 'new'], ['meetings', 'list', '--unknown'], ['api', 'GET']]) {
    const { code, stderr } = await parley(words)
    assert.deepEqual([code, /parley --help/.test(stderr)], [2, true], words.join(' '))
  }
  assert.match((await parley(['--help'])).stdout, /parley events listen/)
  assert.match((await parley(['--version'])).stdout, /^\d+\.\d+\.\d+/)
})
