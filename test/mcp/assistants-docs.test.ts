import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { scopeNames } from '@parley/contract'
import { assistantApp, assistantToken, connectAssistant } from '../../apps/server/test/mcp/assistant.ts'
import { approvedApp } from '../../apps/server/test/oauth/approved-app.ts'
import { consent } from '../../apps/server/test/oauth/consenting-person.ts'
import { type Person, signUp } from '../../apps/server/test/people.ts'
import { expectOk } from '../../apps/server/test/replies.ts'
import { startApp, type TestApp } from '../../apps/server/test/start-app.ts'
import { docBlocks } from '../docs/doc-blocks.ts'
import { openWire } from '../oauth-clients/wire.ts'

const page = readFileSync(new URL('../../docs/assistants.md', import.meta.url), 'utf8')
const dependencies = fileURLToPath(new URL('../../node_modules', import.meta.url))

/** A service at the address that it names as its own, as a client needs for discovery. */
async function startService() {
  const wire = await openWire()
  const app = await startApp({ environment: { BASE_URL: wire.base, RATE_LIMITS: 'off' } })
  wire.forwardTo(app.base)
  return { app, address: wire.base, olga: await signUp(app, 'Olga'), alice: await signUp(app, 'Alice') }
}

test('the table of the page has each tool with the scopes that it needs', async () => {
  const { app, olga, alice } = await startService()
  const registered = await assistantApp(app, olga)
  const assistant = await connectAssistant(app, await assistantToken(app, registered, alice))
  const { tools } = await assistant.client.listTools()
  const rows = [...page.matchAll(/^\| `([a-z_]+)` \| .+ \| (.+) \|$/gm)].map(([, name, scopes = '']) => [
    name,
    scopes.match(/`([a-z:]+)`/g)?.map((scope) => scope.slice(1, -1)),
  ])
  assert.deepEqual(rows.map(([name]) => name).toSorted(), tools.map(({ name }) => name).toSorted())

  // A token without the others finds out what is needed: the challenge names all of it.
  for (const [name, scopes] of rows as [string, string[]][]) {
    const held = scopeNames.find((scope) => !scopes.includes(scope)) ?? 'user:read'
    const narrow = await assistantToken(app, registered, alice, { scopes: [held] })
    const input = { occurrence: 'following' }
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } }
    const refused = await fetch(`${app.base}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${narrow}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify(message),
    })
    assert.equal(refused.status, 403, name)
    const [, named = ''] = /scope="([^"]*)"/.exec(refused.headers.get('www-authenticate') ?? '') ?? []
    assert.deepEqual(named.split(' ').toSorted(), scopes.toSorted(), name)
  }
})

test('the script of the page gets a person’s consent step by step, proposes, asks, and schedules', async () => {
  const { app, address, olga, alice } = await startService()
  const script = await startScript(app, address, olga)
  const lines: string[] = []
  for await (const line of script.lines) {
    const link = /^Open this address in your browser: (.+)$/.exec(line)?.[1]
    if (link === undefined) lines.push(line)
    else await script.visit(await consent(app, alice, link))
    if (line.includes('Proposed, not scheduled yet')) script.type('yes')
  }
  const { meetingDetails } = (await alice.send('GET', '/api/meeting/me')).body
  assert.deepEqual(
    meetingDetails.map(({ topic, startTime }: { topic: string; startTime: string }) => [topic, startTime]),
    [['Weekly review', '2030-03-25T08:00:00.000Z']],
  )
  assert.match(lines[0] ?? '', /^You act for Alice Test/)
  assert.match(lines[1] ?? '', /on Monday, 25 March 2030, 09:00–09:45 \(Europe\/Berlin, \+01:00\), and 3 more dates\./)
  assert.match(lines[1] ?? '', /From Monday, 1 April 2030 on, the clock in Europe\/Berlin is at \+02:00/)
  assert.match(lines.at(-1) ?? '', /Scheduled “Weekly review” on Monday, 25 March 2030/)
  assert.deepEqual(
    (await app.mails()).map(({ to }) => to),
    ['bob@example.org'],
  )
  assert.equal(await script.exitCode, 0)
})

test('the script asks again when the person has disconnected it, and what it had proposed is void', async () => {
  const { app, address, olga, alice } = await startService()
  const script = await startScript(app, address, olga)
  const asked: string[] = []
  let last = ''
  for await (const line of script.lines) {
    const link = /Open this address in your browser: (.+)$/.exec(line)?.[1]
    if (link !== undefined) {
      asked.push(new URL(link).searchParams.get('scope') ?? '')
      await script.visit(await consent(app, alice, link))
    } else last = line
    if (line.includes('Proposed, not scheduled yet')) {
      const { grants } = (await alice.send('GET', '/api/oauth2/grants')).body
      await expectOk(alice.send('DELETE', `/api/oauth2/grants/${grants[0]._id}`))
      script.type('yes')
    }
  }
  // The fourth is the consent from the start.
  assert.deepEqual([asked.length, asked[3]], [5, 'meeting:read'])
  assert.match(last, /^proposal was changed, or was made for another person or app\. Call propose_meeting again/)
  assert.equal(await script.exitCode, 1)
  assert.equal((await alice.send('GET', '/api/meeting/me')).body.totalCount, 0)
})

test('the script ends with what the service says when a person allows less than it needs', async () => {
  const { app, address, olga, alice } = await startService()
  const script = await startScript(app, address, olga)
  for await (const line of script.lines) {
    const link = /^Open this address in your browser: (.+)$/.exec(line)?.[1]
    if (link !== undefined) await script.visit(await consent(app, alice, link, 'deny'))
  }
  assert.notEqual(await script.exitCode, 0)
  assert.equal((await alice.send('GET', '/api/meeting/me')).body.totalCount, 0)
})

/** Start the program of the page, unchanged but for the address of the service. */
async function startScript(app: TestApp, address: string, owner: Person) {
  const { clientId } = await approvedApp(app, owner, {
    name: 'Script',
    clientType: 'native',
    callbackUrls: ['http://127.0.0.1/callback'],
    scopes: [...scopeNames],
  })
  const [program = ''] = docBlocks('assistants', 'Script', 'js')
  assert.ok(program.includes('http://localhost:3000'))
  const folder = await mkdtemp(join(tmpdir(), 'parley-script-'))
  after(() => rm(folder, { recursive: true, force: true }))
  await symlink(dependencies, join(folder, 'node_modules'))
  const file = join(folder, 'script.mjs')
  await writeFile(file, program.replaceAll('http://localhost:3000', address))
  const child = spawn(process.execPath, [file], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { PATH: process.env.PATH, CLIENT_ID: clientId },
  })
  after(() => child.kill())
  const exitCode = new Promise<number | null>((resolve) => child.once('exit', resolve))
  return {
    lines: createInterface({ input: child.stdout }),
    type: (text: string) => void child.stdin.write(`${text}\n`),
    /** As a browser does, which also looks for an icon. */
    async visit(returned: URL) {
      await (await fetch(returned)).text()
      await fetch(new URL('/favicon.ico', returned)).catch(() => undefined)
    },
    exitCode,
  }
}
