import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { readConfig } from '../../apps/server/src/platform/config/config.ts'

/** How Debian's Compose reads compose.yaml. Needs no container engine. */

const run = promisify(execFile)
const guide = await readFile(new URL('../../docs/operations.md', import.meta.url), 'utf8')

/** The `.env` that the guide's shell commands write. */
async function guideEnvironment(): Promise<Record<string, string>> {
  const [, lines = ''] = /^cat > \.env <<END\n([\s\S]*?)^END$/m.exec(guide) ?? []
  const { stdout } = await run('sh', ['-c', `cat <<END\n${lines}END`])
  return Object.fromEntries(
    stdout
      .trim()
      .split('\n')
      .map((line) => line.split('=', 2)),
  )
}

// biome-ignore lint/suspicious/noExplicitAny: another program's answer, asserted on word by word
type Composed = Record<string, any>

/** A folder with only this file, without the `.env` of the checkout. */
const folder = await mkdtemp(join(tmpdir(), 'parley-compose-'))
after(() => rm(folder, { recursive: true, force: true }))
await copyFile(new URL('../../compose.yaml', import.meta.url), join(folder, 'compose.yaml'))

/** Compose's resolved configuration in YAML, read by Debian's Python, a dependency of Compose. */
async function compose(environment: Record<string, string>): Promise<Composed> {
  const { stdout: understood } = await run('docker-compose', ['-f', 'compose.yaml', 'config'], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...environment },
  })
  const reading = run('/usr/bin/python3', [
    '-c',
    'import json, sys, yaml; json.dump(yaml.safe_load(sys.stdin), sys.stdout)',
  ])
  reading.child.stdin?.end(understood)
  return JSON.parse((await reading).stdout)
}

const refusal = /Missing mandatory value|required variable/

test('compose.yaml with the guide’s .env is complete, and Parley accepts its settings', async () => {
  const environment = await guideEnvironment()
  const { services } = await compose(environment)
  assert.deepEqual(Object.keys(services).toSorted(), ['coturn', 'livekit', 'parley', 'postgres', 'redis'])
  const settings: Record<string, string> = services.parley.environment
  const reading = readConfig({ ...settings, HOST: '0.0.0.0', DATA_DIR: '/data' })
  assert.ok(reading.kind === 'read', JSON.stringify(reading))
  const { livekit, turn, databaseUrl, signUp } = reading.config
  assert.equal(databaseUrl, `postgres://parley:${environment.POSTGRES_PASSWORD}@postgres/parley`)
  assert.equal(signUp, 'invite')

  // Both sides of each secret.
  assert.deepEqual(livekit, {
    url: environment.LIVEKIT_URL,
    apiKey: 'parley',
    apiSecret: environment.LIVEKIT_API_SECRET,
  })
  const { LIVEKIT_CONFIG } = services.livekit.environment
  assert.ok(LIVEKIT_CONFIG.includes(`keys: { parley: '${environment.LIVEKIT_API_SECRET}' }`), LIVEKIT_CONFIG)
  assert.deepEqual(turn, { urls: ['turn:203.0.113.7:3478'], secret: environment.TURN_SECRET })
  assert.ok(services.coturn.command.includes(`--static-auth-secret=${environment.TURN_SECRET}`))
  assert.equal(services.postgres.environment.POSTGRES_PASSWORD, environment.POSTGRES_PASSWORD)
})

test('compose.yaml passes no setting that Parley does not know', async () => {
  const asked = new Set<string>()
  readConfig(new Proxy<Record<string, string>>({}, { get: (_, name) => void asked.add(String(name)) }))
  const { services } = await compose(await guideEnvironment())
  const unknown = Object.keys(services.parley.environment).filter((name) => !asked.has(name))
  assert.deepEqual(unknown, [])
})

for (const name of Object.keys(await guideEnvironment())) {
  test(`Compose refuses to start without ${name}, or with an empty value`, async () => {
    const { [name]: left, ...others } = await guideEnvironment()
    assert.ok(left !== undefined && left !== '')
    await assert.rejects(compose(others), refusal)
    await assert.rejects(compose({ ...others, [name]: '' }), refusal)
  })
}

test('only the proxy and the services themselves can reach the internal ports', async () => {
  const { services } = await compose(await guideEnvironment())
  const open = Object.entries(services as Composed).flatMap(([service, { ports = [] }]) =>
    ports.map((port: string | { published: number; protocol?: string }) =>
      typeof port === 'string' ? `${service} ${port}` : `${service} ${port.published}/${port.protocol ?? 'tcp'}`,
    ),
  )
  assert.deepEqual(open.toSorted(), [
    'livekit 127.0.0.1:7880:7880/tcp',
    'livekit 7881/tcp',
    'livekit 7882/udp',
    'parley 127.0.0.1:3000:3000/tcp',
  ])
})

test('the guide and compose.yaml configure coturn in the same way', async () => {
  const { services } = await compose({ ...(await guideEnvironment()), TURN_SECRET: 'the value of TURN_SECRET' })
  const [, conf = ''] = /^```conf\n([\s\S]*?)^```$/m.exec(guide) ?? []
  const flags: string[] = services.coturn.command
  const composed = flags.filter((flag) => flag.startsWith('--')).map((flag) => flag.slice(2))
  // A container logs to its output, and TLS is terminated elsewhere.
  const ofContainers = ['log-file=stdout', 'no-tls', 'no-dtls']
  assert.deepEqual(
    conf.trim().split('\n'),
    composed.filter((flag) => !ofContainers.includes(flag)),
  )
})
