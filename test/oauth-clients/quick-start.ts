import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { consent } from '../../apps/server/test/oauth/consenting-person.ts'
import { type Person, password, signUp } from '../../apps/server/test/people.ts'
import { startApp, type TestApp } from '../../apps/server/test/start-app.ts'
import { docBlocks } from '../docs/doc-blocks.ts'
import { openWire } from './wire.ts'

const dependencies = fileURLToPath(new URL('../../node_modules', import.meta.url))
const shell = promisify(execFile)

/** The code blocks of docs/quick-starts.md under a heading. */
export const blocksUnder = (heading: string, language: string) => docBlocks('quick-starts', heading, language)
const guideBlocks = (heading: string) => docBlocks('oauth', heading, 'sh')

/** A developer who has followed docs/oauth.md up to the quick starts, and Carol, who is a tester of the app. */
export type Newcomer = {
  app: TestApp
  issuer: string
  /** The address on which the developer's program listens. */
  site: string
  carol: Person
  /** Shell variables that the page's commands have set. */
  variables: Record<string, string>
  /** The page's text with the addresses of this test. */
  here(text: string): string
}

export async function followThePage(): Promise<Newcomer> {
  const wire = await openWire()
  const app = await startApp({ emails: 'dropped', environment: { BASE_URL: wire.base, APP_CHECKS: 'off' } })
  wire.forwardTo(app.base)
  const site = `http://localhost:${await freePort()}`
  const dana = await signUp(app, 'Dana')
  const carol = await signUp(app, 'Carol')
  const here = (text: string) =>
    text
      .replaceAll('http://localhost:3000', wire.base)
      .replaceAll('http://localhost:8080', site)
      .replaceAll(/\b8080\b/g, new URL(site).port)
  const newcomer = { app, issuer: wire.base, site, carol, here, variables: {} }
  const [signIn = ''] = guideBlocks('A token of your own')
  const asDana = signIn.replace('you@example.org', dana.email).replace('your password', password)
  assert.ok(asDana.includes(dana.email) && asDana.includes(password))
  const steps = [asDana, ...guideBlocks('Register'), ...guideBlocks('Sandbox')]
  assert.equal(steps.length, 7)
  const wanted = ['ISSUER', 'TOKEN', 'APP_ID', 'CLIENT_ID', 'CLIENT_SECRET']
  const { variables } = await runShell(newcomer, steps.join('\n'), wanted)
  return { ...newcomer, variables }
}

/**
 * Run commands of the page unchanged, except that an error status ends them. Every reply must be JSON.
 * @returns their output, and the wanted variables
 */
export async function runShell(
  { here, variables }: Pick<Newcomer, 'here' | 'variables'>,
  commands: string,
  wanted: readonly string[] = [],
): Promise<{ printed: string[]; variables: Record<string, string> }> {
  const mark = 'variables are '
  const printVariables = wanted.map((name) => `echo "${mark}${name}=$${name}"`).join('\n')
  const strictCurl = `curl() { command curl --fail-with-body --max-time 20 --write-out '\\n' "$@"; }`
  const { stdout } = await shell(
    'bash',
    ['-euo', 'pipefail', '-c', here([strictCurl, commands, printVariables].join('\n'))],
    {
      env: { PATH: process.env.PATH, ...variables },
      timeout: 60_000,
    },
  )
  const lines = stdout.split('\n').filter((line) => line !== '')
  const printed = lines.filter((line) => line.startsWith(mark)).map((line) => line.slice(mark.length))
  return {
    printed: lines.filter((line) => !line.startsWith(mark)),
    variables: Object.fromEntries(
      printed.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    ),
  }
}

/** Write a program of the page to a file from which its packages can be resolved. */
export async function writeProgram({ here }: Newcomer, name: string, program: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-quick-start-'))
  after(() => rm(folder, { recursive: true, force: true }))
  await symlink(dependencies, join(folder, 'node_modules'))
  await writeFile(join(folder, name), here(program))
  return join(folder, name)
}

/** Start a program of the page and wait until it listens. It ends with the test. */
export async function startProgram({ site, variables }: Newcomer, [command = '', ...options]: string[]): Promise<void> {
  const { CLIENT_ID, CLIENT_SECRET } = variables
  const child = spawn(command, options, {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      PATH: process.env.PATH,
      CLIENT_ID,
      CLIENT_SECRET,
      SESSION_SECRET: 'a long text',
      AUTH_SECRET: 'a long text',
    },
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  after(async () => {
    child.kill()
    await ended
  })
  const isOver = () => child.exitCode !== null
  while (!(await listens(Number(new URL(site).port)))) {
    assert.ok(!isOver(), 'The program ended at its start')
    await sleep(50)
  }
}

/** Register the app of the section about native apps, with Carol as its tester. @returns its sandbox client id */
export async function registerNativeApp({ issuer, carol, variables }: Newcomer): Promise<string> {
  const [sent = ''] = docBlocks('oauth', 'Native and single-page apps', 'json')
  const send = async (method: string, path: string, body: object) => {
    const headers = { authorization: `Bearer ${variables.TOKEN}`, 'content-type': 'application/json' }
    const response = await fetch(issuer + path, { method, headers, body: JSON.stringify(body) })
    const answered = await response.json()
    assert.ok(response.ok, JSON.stringify(answered))
    return answered
  }
  const pages = { homepageUrl: 'https://planner.example/', policyUrl: 'https://planner.example/privacy' }
  const { _id, sandboxClientId } = await send('POST', '/api/oauth2/apps', {
    ...pages,
    logoUrl: 'https://planner.example/logo.png',
    useCase: 'scheduling',
    scopes: ['user:read', 'meeting:create'],
    ...JSON.parse(sent),
    name: 'Pocket Planner',
  })
  await send('PUT', `/api/oauth2/apps/${_id}/testers`, { testers: [carol.email] })
  return sandboxClientId
}

/** Start the native program of the page. It prints a link, and more once the browser has come back. */
export async function startNativeProgram(
  file: string,
  clientId: string,
): Promise<{ link: string; output: Promise<string[]> }> {
  const child = spawn(process.execPath, [file], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH, CLIENT_ID: clientId },
  })
  after(() => child.kill())
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const { value = '' } = await lines.next()
  const link = /https?:\S+$/.exec(value)?.[0]
  assert.ok(link !== undefined, value)
  return { link, output: Array.fromAsync({ [Symbol.asyncIterator]: () => lines }) }
}

/** A browser with one cookie jar for the developer's site. */
export function visitor() {
  const cookies = new Map<string, string>()
  return async (address: string, init: RequestInit = {}): Promise<Response> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(address, { ...init, headers: { cookie }, redirect: 'manual' })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    return response
  }
}

/** Carol opens the program's /login, allows access, and sees the program's result. */
export async function connectCarol({ app, site, carol }: Newcomer): Promise<void> {
  const visit = visitor()
  const leaving = await visit(`${site}/login`)
  const link = leaving.headers.get('location') ?? ''
  const returned = await visit(String(await consent(app, carol, link)))
  const text = await returned.text()
  assert.equal(returned.status, 200, text)
  assert.deepEqual(JSON.parse(text), { email: carol.email, topic: 'Kick-off' })

  const { body } = await carol.send('GET', '/api/meeting/me')
  assert.equal(body.meetingDetails[0].topic, 'Kick-off')

  // A response without a matching login of this browser is refused.
  const forged = await fetch(`${site}/callback?code=oac_any&state=any&iss=${encodeURIComponent(app.config.baseUrl)}`)
  assert.ok(forged.status >= 400, String(forged.status))
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: 'localhost' })
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
