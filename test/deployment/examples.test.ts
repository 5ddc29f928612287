import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import { parse } from 'yaml'
import { readConfig } from '../../apps/server/src/platform/config/config.ts'

/** Checks of what operators start from that need no container engine, no Helm and no Grafana. */

const root = fileURLToPath(new URL('../../', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const guide = read('docs/operations.md')

const hexKey = 'a'.repeat(64)

test('compose.small.yaml: Parley and Caddy, with settings that Parley accepts, and no secret', () => {
  const text = read('compose.small.yaml')
  const { services, networks } = parse(text)
  assert.deepEqual(Object.keys(services).toSorted(), ['caddy', 'parley'])
  const { parley, caddy } = services
  assert.deepEqual([parley.ports, caddy.ports], [['30000:30000/udp'], ['80:80', '443:443', '443:443/udp']])
  const address = caddy.networks.default.ipv4_address
  assert.equal(parley.environment.TRUST_PROXY, address)
  assert.ok(networks.default.ipam.config[0].subnet.startsWith(address.replace(/\d+$/, '')))

  const values: Record<string, string> = { DOMAIN: 'meet.example.org', PUBLIC_ADDRESS: '203.0.113.7' }
  const settings = Object.entries<string>(parley.environment).map(([name, value]) => [
    name,
    value.replaceAll(/\$\{(\w+)(?::[-?]([^}]*))?\}/g, (_, variable, other) => values[variable] ?? other),
  ])
  const reading = readConfig({ ...Object.fromEntries(settings), HOST: '0.0.0.0', DATA_DIR: '/data' })
  assert.ok(reading.kind === 'read', JSON.stringify(reading))
  assert.deepEqual([reading.config.baseUrl, reading.config.signUp], ['https://meet.example.org', 'invite'])
  for (const [, variable = ''] of text.matchAll(/\$\{(\w+)/g)) assert.ok(guide.includes(variable), variable)
  for (const service of [parley, caddy]) {
    assert.deepEqual([service.cap_drop, service.read_only, service.restart], [['ALL'], true, 'unless-stopped'])
  }
})

const chart = 'examples/helm'
const values = parse(read(`${chart}/values.yaml`))
const validate = new Ajv({ allErrors: true, strict: true }).compile(JSON.parse(read(`${chart}/values.schema.json`)))

const isValid = (value: unknown): boolean => validate(value)

test('Helm chart: its defaults fit its schema, and Parley accepts the settings', () => {
  assert.ok(isValid(values), JSON.stringify(validate.errors))
  const { version } = JSON.parse(read('package.json'))
  const { version: chartVersion, appVersion } = parse(read(`${chart}/Chart.yaml`))
  assert.deepEqual([chartVersion, appVersion, values.image.tag], [version, version, version])
  const secrets = {
    SECRET_KEY: hexKey,
    DATABASE_URL: 'postgres://parley:hush@postgres/parley',
    LIVEKIT_API_SECRET: 'hush',
  }
  const reading = readConfig({ ...values.settings, ...secrets, DATA_DIR: '/tmp/parley' })
  assert.ok(reading.kind === 'read', JSON.stringify(reading))
})

test('Helm chart: the schema refuses what would not work, and secrets among the settings', () => {
  const settings = (change: object) => ({ ...values, settings: { ...values.settings, ...change } })
  const wrong = [
    settings({ BASE_URL: 'http://meet.example.org' }),
    settings({ BASE_URL: 'https://meet.example.org/' }),
    settings({ SECRET_KEY: hexKey }),
    settings({ DATABASE_URL: 'postgres://parley:hush@postgres/parley' }),
    settings({ SIGN_UP: 'anyone' }),
    settings({ 'base-url': 'x' }),
    { ...values, replicas: 0 },
    { ...values, existingSecret: '' },
    { ...values, replica: 2 },
    { ...values, image: { ...values.image, digest: 'sha256:short' } },
  ]
  for (const one of wrong) assert.equal(isValid(one), false, JSON.stringify(one))
})

test('Helm chart: its templates use values that exist, and all of them', () => {
  const used = new Set<string>()
  for (const path of globSync(`${chart}/templates/*.yaml`, { cwd: root })) {
    // A formatter of YAML takes the braces of a template for two maps.
    assert.doesNotMatch(read(path), /\{ \{|\} \}/, path)
    for (const [, path_ = ''] of read(path).matchAll(/\.Values\.([\w.]+)/g)) used.add(path_)
  }
  const valueAt = (path: string) => path.split('.').reduce((value, name) => value?.[name], values)
  assert.deepEqual(
    [...used].filter((path) => valueAt(path) === undefined),
    [],
  )
  const isUsed = (path: string) => [...used].some((one) => path === one || path.startsWith(`${one}.`))
  const leaves = (value: unknown, path: string): string[] =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.entries(value).flatMap(([name, inner]) => leaves(inner, path === '' ? name : `${path}.${name}`))
      : [path]
  assert.deepEqual(
    leaves(values, '').filter((path) => !isUsed(path)),
    [],
  )
})

test('Grafana dashboard: every metric exists, every panel has its place and an expression', () => {
  const { panels, uid } = JSON.parse(read('examples/grafana/parley.json'))
  assert.equal(uid, 'parley')
  const guide = read('docs/maintenance.md')
  const places = new Set<string>()
  for (const { id, title, gridPos, targets } of panels) {
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++) {
      assert.ok(x < 24 && !places.has(`${x} ${gridPos.y}`), `${title} lies on another panel (${id})`)
      places.add(`${x} ${gridPos.y}`)
    }
    assert.ok(targets.length > 0, title)
    for (const { expr } of targets) {
      const metrics = [...expr.matchAll(/\b(?:parley|http|nodejs|process)_\w+/g)].map(([name]) => name)
      assert.ok(metrics.length > 0 || expr.startsWith('up{'), expr)
      for (const name of metrics) {
        assert.ok(guide.includes(name.replace(/_bucket$/, '')) || /^(process|nodejs)_/.test(name), name)
      }
    }
  }
})
