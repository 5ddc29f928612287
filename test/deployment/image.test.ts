import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, matchesGlob } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { readConfig } from '../../apps/server/src/platform/config/config.ts'
import { pageSources } from '../../scripts/build-web.ts'

/** Checks of the Dockerfile that need no container engine. */

const root = fileURLToPath(new URL('../../', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const stages = read('Dockerfile')
  .split(/^FROM /m)
  .slice(1)
const [packages = '', pages = '', service = ''] = stages

/** Paths that a stage copies from the checkout. */
const copied = (stage: string) =>
  [...stage.matchAll(/^COPY (?!--from)(.*) \S+$/gm)]
    .flatMap(([, sources = '']) => sources.split(' '))
    .flatMap((source) => (source.includes('*') ? globSync(source, { cwd: root }) : [source]))

const ignored = read('.dockerignore')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
/** As Docker reads it: the last matching line applies to a path and everything below it. */
const isLeftOut = (path: string) =>
  ignored.reduce((isOut, line) => {
    const pattern = line.replace(/^!/, '')
    const matches = matchesGlob(path, pattern) || matchesGlob(path, `${pattern}/**`)
    return matches ? !line.startsWith('!') : isOut
  }, false)

test('every file that is copied exists, and .dockerignore does not exclude it', () => {
  const sources = stages.flatMap(copied)
  assert.ok(sources.length > 10)
  assert.deepEqual(
    sources.filter((source) => !existsSync(join(root, source)) || isLeftOut(source)),
    [],
  )
})

test('the image contains no secret, no history, no data and no tests', () => {
  for (const path of ['.env', '.git/config', 'data/secret-key', 'node_modules/pg/index.js', 'README.md']) {
    assert.ok(isLeftOut(path), path)
  }
  assert.ok(isLeftOut('apps/server/src/meetings/cancel-meeting.test.ts'))
  assert.ok(!isLeftOut('apps/server/src/meetings/cancel-meeting.ts'))
  assert.ok(!isLeftOut('docs/quick-starts.md'))
})

test('the manifest of each workspace is copied before packages are installed', () => {
  const manifests = globSync('{apps,packages}/*/package.json', { cwd: root })
  assert.deepEqual(manifests.filter((manifest) => !copied(packages).includes(manifest)).sort(), [])
})

test('all sources of the pages are copied before the pages are built', () => {
  const available = [...copied(packages), ...copied(pages)]
  const missing = globSync(pageSources, { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length))
    .filter((file) => !available.some((source) => file === source || file.startsWith(`${source}/`)) || isLeftOut(file))
  assert.deepEqual(missing, [])
})

test('the image contains everything that the service imports', () => {
  const { dependencies } = JSON.parse(read('apps/server/package.json'))
  const ours = Object.keys(dependencies).filter((name) => name.startsWith('@parley/'))
  const folders = ours.map((name) => name.replace('@parley/', 'packages/'))
  const pages = globSync('docs/*.md', { cwd: root })
  assert.deepEqual(
    copied(service).toSorted(),
    ['apps/server', 'package.json', 'CHANGELOG.md', ...folders, ...pages].toSorted(),
  )
})

test('the image sets only variables that Parley reads, does not run as root, and starts as npm start does', () => {
  const [, settings = ''] = /^ENV (.*)$/m.exec(service) ?? []
  const { NODE_ENV, PATH, ...environment } = Object.fromEntries(
    settings.split(' ').map((setting) => setting.split('=', 2)),
  )
  assert.equal(NODE_ENV, 'production')
  assert.ok(PATH?.startsWith('/parley/node_modules/.bin:'))
  const reading = readConfig(environment)
  assert.ok(reading.kind === 'read')
  const { host, port, dataDir } = reading.config
  assert.deepEqual({ host, port, dataDir }, { host: '0.0.0.0', port: 3000, dataDir: '/data' })
  assert.match(service, /^USER parley$/m)
  const [, command = ''] = /^CMD (\[.*\])$/m.exec(service) ?? []
  const { scripts } = JSON.parse(read('package.json'))
  assert.ok(scripts.start.endsWith(`exec ${JSON.parse(command).join(' ')}`))
})
