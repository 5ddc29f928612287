import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import * as contract from '@parley/contract'
import { packClient } from '../../scripts/pack-client.ts'

/** What is in the package. clean-project.interop.ts installs it. */

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../', import.meta.url))
const folder = await mkdtemp(join(tmpdir(), 'parley-pack-'))
after(() => rm(folder, { recursive: true, force: true }))
const tarball = await packClient(folder)
await run('tar', ['xzf', tarball], { cwd: folder })
const packed = join(folder, 'package')
const manifest = JSON.parse(await readFile(join(packed, 'package.json'), 'utf8'))
const files = globSync('**/*', { cwd: packed, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name).slice(packed.length + 1))

/** A source file's place in the package. */
const compiled = (source: string) => join('dist', source.replace(/\.ts$/, ''))
const sourcesIn = (name: string) =>
  globSync('**/*.ts', { cwd: join(root, 'packages', name, 'src'), exclude: ['**/*.test.ts'] })

test('it contains the compiled client, the declarations of the contract, and no other files', () => {
  const client = sourcesIn('client').map((file) => `${compiled(file)}.js`)
  const ofClient = [
    'index',
    'background-blur',
    'embed',
    'connect',
    'event-stream',
    'follow-events',
    'listen-to-stream',
    'send',
    'join/join',
    'join/message',
    'join/room',
    'join/room-error',
  ]
  const declarations = sourcesIn('contract')
    .filter((file) => !file.startsWith('openapi/') || file === 'openapi/unused-fields.ts')
    // No other declaration names theirs.
    .filter(
      (file) =>
        ![
          'events/event-samples.ts',
          'meetings/meeting-fields.ts',
          'oauth-apps/portal.ts',
          'passkey-response.ts',
        ].includes(file),
    )
    .map((file) => `${compiled(join('contract', file))}.d.ts`)
    .concat(ofClient.map((file) => `dist/${file}.d.ts`))
  assert.ok(client.length > 20 && declarations.length > 30)
  const values = ['dist/contract.d.ts', 'dist/contract.js', 'dist/contract/endpoint.js', 'dist/contract/scopes.js']
  const others = ['LICENSE', 'README.md', 'package.json']
  const commandLine = sourcesIn('command-line').map((file) => `command-line/${file.replace(/\.ts$/, '.js')}`)
  assert.deepEqual(files.toSorted(), [...client, ...declarations, ...values, ...commandLine, ...others].toSorted())
})

test('every import leads to a file of the package or to Node; only JavaScript needs livekit-client, only declarations TypeBox', async () => {
  const wrong: string[] = []
  let count = 0
  for (const file of files.filter((name) => /\.(js|d\.ts)$/.test(name))) {
    const text = await readFile(join(packed, file), 'utf8')
    for (const [, imported = ''] of text.matchAll(/(?:\bfrom |\bimport\(|^import )['"]([^'"]+)['"]/gm)) {
      count += 1
      const target = join(file, '..', imported)
      const found = imported.startsWith('.')
        ? files.includes(file.endsWith('.d.ts') ? target.replace(/\.js$/, '.d.ts') : target)
        : file.startsWith('command-line/')
          ? imported.startsWith('node:')
          : imported === (file.endsWith('.d.ts') ? 'typebox' : 'livekit-client')
      if (!found) wrong.push(`${file} imports ${imported}`)
    }
  }
  assert.ok(count > 100, `${count}`)
  assert.deepEqual(wrong, [])
})

test('its manifest names files that exist, and no package of the workspace', () => {
  const targets = Object.values<string | { types: string; default: string }>(manifest.exports).flatMap((target) =>
    typeof target === 'string' ? [target] : [target.types, target.default],
  )
  assert.deepEqual(
    targets.filter((target) => !files.includes(target.slice('./'.length))),
    [],
  )
  assert.deepEqual(Object.keys(manifest.exports), [
    '.',
    './background-blur',
    './embed',
    './join',
    './contract',
    './package.json',
  ])
  assert.ok(files.includes(manifest.bin.parley.slice('./'.length)))
  assert.deepEqual(Object.keys(manifest.dependencies), ['typebox'])
  assert.deepEqual(Object.keys(manifest.peerDependencies), ['livekit-client'])
  assert.equal(manifest.sideEffects, false)
  assert.deepEqual(manifest.engines, { node: '>=20' })
})

test('the values of its contract are those of the contract, as plain data', async () => {
  const values: Record<string, unknown> = await import(pathToFileURL(join(packed, 'dist/contract.js')).href)
  // They need schemas or lists of the contract: of the events' data, of the fields of requests, of the rights in rooms.
  const left = ['allowedRights', 'changedRights', 'isAppEventKind', 'isEventType', 'misnomersOf', 'optionalLook']
  assert.deepEqual(
    Object.keys(values).toSorted(),
    Object.keys(contract)
      .filter((name) => !left.includes(name))
      .toSorted(),
  )
  for (const [name, value] of Object.entries(contract)) {
    if (typeof value === 'function') continue
    assert.equal(JSON.stringify(values[name]), JSON.stringify(value), name)
  }
  const { isScope, scopesOf } = values as unknown as typeof contract
  assert.deepEqual([isScope('meeting:read'), isScope('meeting')], [true, false])
  assert.deepEqual(scopesOf(contract.createMeeting), ['meeting:create'])
})

test('npm refuses to publish it, and to pack the folder of its sources', async () => {
  const registry = ['--registry=http://127.0.0.1:9/', '--//127.0.0.1:9/:_authToken=none', '--fetch-retries=0']
  await assert.rejects(run('npm', ['publish', tarball, '--tag', 'next', ...registry]), /EPRIVATE/)
  const sources = join(root, 'packages/client')
  await assert.rejects(
    run('npm', ['pack', '--pack-destination', folder], { cwd: sources }),
    /npm run pack-client in the root makes the package/,
  )
})
