import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { serviceEnvironment, serviceFlags } from '../../scripts/service-flags.ts'

/** Each file that starts the service: the text between the program and its path, and where the environment is set. */
const starts = {
  'package.json': {
    flags: /exec node (\S.*) apps\/server\/src\/main\.ts/,
    environment: /"start": ".* MALLOC_ARENA_MAX=(\d+) exec node/,
  },
  Dockerfile: {
    flags: /^CMD \["node", (.*), "apps\/server\/src\/main\.ts"\]$/m,
    environment: /^ENV MALLOC_ARENA_MAX=(\d+)$/m,
  },
  'examples/systemd/parley.service': {
    flags: /^ExecStart=\S+\/node (.*) apps\/server\/src\/main\.ts$/m,
    environment: /^Environment=MALLOC_ARENA_MAX=(\d+)$/m,
  },
}

for (const [file, patterns] of Object.entries(starts)) {
  test(`${file} starts the service with the same flags and environment as the others`, async () => {
    const text = await readFile(new URL(`../../${file}`, import.meta.url), 'utf8')
    const [, flags = ''] = patterns.flags.exec(text) ?? []
    assert.deepEqual(flags.replaceAll(/[",]/g, '').split(' '), serviceFlags)
    assert.deepEqual({ MALLOC_ARENA_MAX: patterns.environment.exec(text)?.[1] }, serviceEnvironment)
  })
}

test('the Kubernetes manifests leave the command to the image', async () => {
  const manifest = await readFile(new URL('../../examples/kubernetes/parley.yaml', import.meta.url), 'utf8')
  assert.doesNotMatch(manifest, /^\s*(?:command|args):/m)
})

test('each way to run the service starts it again after a crash, however often', async () => {
  const read = (file: string) => readFile(new URL(`../../${file}`, import.meta.url), 'utf8')
  const unit = await read('examples/systemd/parley.service')
  assert.match(unit, /^Restart=on-failure$/m)
  assert.match(unit, /^StartLimitIntervalSec=0$/m)
  const services = (await read('compose.yaml')).split(/^services:$/m)[1]?.split(/^networks:$/m)[0] ?? ''
  const [, ...each] = services.split(/^ {2}(?=[a-z]+:$)/m)
  assert.equal(each.length, 5)
  for (const service of each) assert.match(service, /^ {4}restart: unless-stopped$/m)
  for (const [command] of (await read('docs/operations.md')).matchAll(/^docker run -d .*$/gm)) {
    assert.match(command, / --restart unless-stopped /)
  }
  // A Deployment restarts its containers always, which is the only policy that it takes.
  const manifest = await read('examples/kubernetes/parley.yaml')
  assert.match(manifest, /^kind: Deployment$/m)
  assert.match(manifest, /^ +livenessProbe:$/m)
})
