import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { clientManifest } from './pack-client.ts'

type Manifest = { dependencies?: Record<string, string>; engines?: { node?: string } }

const installed = (name: string) => new URL(`../node_modules/${name}/package.json`, import.meta.url)

/** What npm installs with a package, and the package itself. */
function installedWith(names: readonly string[], found = new Map<string, Manifest>()): ReadonlyMap<string, Manifest> {
  for (const name of names.filter((one) => !found.has(one))) {
    assert.ok(existsSync(installed(name)), `${name} is not installed`)
    const manifest: Manifest = JSON.parse(readFileSync(installed(name), 'utf8'))
    found.set(name, manifest)
    installedWith(Object.keys(manifest.dependencies ?? {}), found)
  }
  return found
}

/** The packages that refuse this major version of Node. */
const refusing = (packages: ReadonlyMap<string, Manifest>, major: number) =>
  [...packages].flatMap(([name, { engines }]) => {
    const [, oldest = '0'] = /^>= ?(\d+)/.exec(engines?.node ?? '') ?? []
    return Number(oldest) > major ? [`${name} needs Node ${engines?.node}`] : []
  })

test('what npm installs with the client runs on the Node that the client names', async () => {
  const { engines, dependencies } = await clientManifest()
  const [, oldest] = /^>=(\d+)$/.exec(engines.node) ?? []
  assert.ok(oldest !== undefined)
  const packages = installedWith(Object.keys(dependencies))
  assert.deepEqual([...packages.keys()], ['typebox'])
  assert.deepEqual(refusing(packages, Number(oldest)), [])
})

test('media is installed only where a page asks for it', async () => {
  const { dependencies, peerDependencies, peerDependenciesMeta } = await clientManifest()
  assert.deepEqual(Object.keys(peerDependencies), ['livekit-client'])
  assert.deepEqual(peerDependenciesMeta, { 'livekit-client': { optional: true } })
  assert.ok(!('livekit-client' in dependencies))
  // The reason: docs/client.md names the Node that it needs.
  assert.deepEqual(refusing(installedWith(['livekit-client']), 20), ['machina needs Node >=22.22'])
  const page = readFileSync(new URL('../docs/client.md', import.meta.url), 'utf8')
  assert.ok(page.includes(`npm install livekit-client@${peerDependencies['livekit-client']}`))
  const readme = readFileSync(new URL('../packages/client/README.md', import.meta.url), 'utf8')
  assert.ok(readme.includes(`npm install livekit-client@${peerDependencies['livekit-client']}`))
})
