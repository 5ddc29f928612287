import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { serviceFlags } from '../scripts/service-flags.ts'

/** Each file that starts the service, and the text between the program and its path there. */
const starts = {
  'package.json': /exec node (\S.*) apps\/server\/src\/main\.ts/,
  Dockerfile: /^CMD \["node", (.*), "apps\/server\/src\/main\.ts"\]$/m,
  'examples/systemd/parley.service': /^ExecStart=\S+\/node (.*) apps\/server\/src\/main\.ts$/m,
}

for (const [file, pattern] of Object.entries(starts)) {
  test(`${file} starts the service with the flags of all others`, async () => {
    const text = await readFile(new URL(`../${file}`, import.meta.url), 'utf8')
    const [, flags = ''] = pattern.exec(text) ?? []
    assert.deepEqual(flags.replaceAll(/[",]/g, '').split(' '), serviceFlags)
  })
}

test('the image is the only thing that says how Kubernetes starts the service', async () => {
  const manifest = await readFile(new URL('../examples/kubernetes/parley.yaml', import.meta.url), 'utf8')
  assert.doesNotMatch(manifest, /^\s*(?:command|args):/m)
})
