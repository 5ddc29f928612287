import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/**
 * Check the files in examples/ with systemd, Prometheus and the types of Kubernetes' API, installed by
 * scripts/install-interop-tools.sh.
 */

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../', import.meta.url))
const folder = await mkdtemp(join(tmpdir(), 'parley-examples-'))
after(() => rm(folder, { recursive: true, force: true }))

/** @returns the exit code and the output */
async function outcomeOf(program: string, words: readonly string[], cwd = folder) {
  try {
    const { stdout, stderr } = await run(program, words, { cwd })
    return { code: 0, said: `${stdout}${stderr}` }
  } catch (error) {
    const { code, stdout = '', stderr = '' } = error as { code?: number | string; stdout?: string; stderr?: string }
    assert.equal(typeof code, 'number', `${program} cannot be run (${code}): run scripts/install-interop-tools.sh`)
    return { code, said: `${stdout}${stderr}` }
  }
}

/** Copies of the units, with programs of this machine in place of those that only a server has. */
async function unitsWith(change: (unit: string) => string): Promise<string[]> {
  const units = globSync('examples/systemd/*', { cwd: root }).toSorted()
  for (const unit of units) {
    const text = await readFile(join(root, unit), 'utf8')
    await writeFile(
      join(folder, basename(unit)),
      change(text.replaceAll('/opt/parley/node_modules/.bin/node', '/bin/true')),
    )
  }
  return units.map((unit) => `./${basename(unit)}`)
}

test('systemd accepts the units, and refuses a broken one', async () => {
  const units = await unitsWith((unit) => unit)
  assert.deepEqual(units, ['./parley-backup.service', './parley-backup.timer', './parley.service'])
  assert.deepEqual(await outcomeOf('systemd-analyze', ['verify', '--man=no', ...units]), { code: 0, said: '' })
  await unitsWith((unit) => unit.replace('KillMode=', 'KillModes='))
  const wrong = await outcomeOf('systemd-analyze', ['verify', '--man=no', './parley.service'])
  assert.match(wrong.said, /Unknown key (name )?'KillModes'/)
})

test('the unit leaves the service few rights', async () => {
  const { said } = await outcomeOf('systemd-analyze', [
    'security',
    '--offline=true',
    '--threshold=20',
    join(root, 'examples/systemd/parley.service'),
  ])
  assert.match(said, /Overall exposure level for parley\.service: [01]\.\d OK/)
})

test('the API types of Kubernetes accept every field of the manifests', async () => {
  const linter = join(root, 'test/deployment/kubernetes')
  const manifests = globSync('examples/kubernetes/*.yaml', { cwd: root }).map((path) => join(root, path))
  // `go run` would list what it downloads among the output.
  const downloaded = await outcomeOf('go', ['mod', 'download'], linter)
  assert.equal(downloaded.code, 0, downloaded.said)
  const { code, said } = await outcomeOf('go', ['run', '.', ...manifests], linter)
  assert.equal(code, 0, said)
  const names = said.trim().split('\n').toSorted()
  assert.deepEqual(names, [
    'ok ConfigMap parley',
    'ok CronJob parley-backup',
    'ok Deployment parley',
    'ok Ingress parley',
    'ok Namespace parley',
    'ok PersistentVolumeClaim parley-backups',
    'ok PodDisruptionBudget parley',
    'ok Service parley',
  ])
  const wrong = join(folder, 'wrong.yaml')
  const [first = ''] = manifests
  await writeFile(wrong, (await readFile(first, 'utf8')).replace('restartPolicy:', 'restartPolicies:'))
  const refused = await outcomeOf('go', ['run', '.', wrong], linter)
  assert.match(refused.said, /unknown field "restartPolicies"/)
})

test('the API types of Kubernetes accept every field that the Helm chart renders, with and without what is optional', async () => {
  const linter = join(root, 'test/deployment/kubernetes')
  const overrides = {
    metrics: { enabled: true, port: 9464 },
    image: {
      repository: 'registry.example.org/parley',
      digest: `sha256:${'a'.repeat(64)}`,
      pullSecrets: ['one', 'two'],
    },
    ingress: { enabled: false },
  }
  await writeFile(join(folder, 'overrides.yaml'), JSON.stringify(overrides))
  for (const [words, kinds] of [
    [[], ['ConfigMap', 'Deployment', 'Ingress', 'PodDisruptionBudget', 'Service']],
    [[join(folder, 'overrides.yaml')], ['ConfigMap', 'Deployment', 'PodDisruptionBudget', 'Service']],
  ] as const) {
    const rendered = await outcomeOf('go', ['run', '.', 'render', join(root, 'examples/helm'), ...words], linter)
    assert.equal(rendered.code, 0, rendered.said)
    const manifest = join(folder, 'rendered.yaml')
    await writeFile(manifest, rendered.said)
    const { code, said } = await outcomeOf('go', ['run', '.', manifest], linter)
    assert.equal(code, 0, said)
    assert.deepEqual(
      said.trim().split('\n').toSorted(),
      kinds.map((kind) => `ok ${kind} parley`),
    )
  }
})

test('Prometheus accepts the alert rules; each alert fires on its series and on no other', async () => {
  const rules = join(root, 'examples/prometheus/alerts.yaml')
  const tests = join(root, 'test/deployment/alerts.test.yaml')
  const checked = await outcomeOf('promtool', ['check', 'rules', rules])
  assert.equal(checked.code, 0, checked.said)
  const tested = await outcomeOf('promtool', ['test', 'rules', tests])
  assert.equal(tested.code, 0, tested.said)

  // No rule without a series that fires and one that does not.
  const sides = (await readFile(tests, 'utf8')).split(/eval_time: /)
  const fires = (name: string) =>
    sides.some((side) => side.includes(`alertname: ${name}\n`) && side.includes('exp_labels'))
  const isSilent = (name: string) => sides.some((side) => side.includes(`alertname: ${name}, exp_alerts: []`))
  const text = await readFile(rules, 'utf8')
  const names = [...text.matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name)
  assert.ok(names.length >= 13, `${names.length}`)
  assert.deepEqual(
    names.filter((name) => !fires(name) || !isSilent(name)),
    [],
  )

  // The check finds errors: a changed threshold, and a file that Prometheus cannot read.
  await writeFile(join(folder, 'alerts.yaml'), text.replace('> 0.25', '> 0.5'))
  await writeFile(
    join(folder, 'tests.yaml'),
    (await readFile(tests, 'utf8')).replace(/rule_files: .*/, 'rule_files: [alerts.yaml]'),
  )
  const changed = await outcomeOf('promtool', ['test', 'rules', 'tests.yaml'])
  assert.notEqual(changed.code, 0)
  assert.match(changed.said, /ParleyEventLoopBlocked/)
  await writeFile(join(folder, 'alerts.yaml'), text.replace('> 0.25', '> > 0.25'))
  assert.notEqual((await outcomeOf('promtool', ['check', 'rules', 'alerts.yaml'])).code, 0)
})
