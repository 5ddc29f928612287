import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { toDebianVersion, toPackaged, toSettings } from './write-deb.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const read = (path: string) => readFileSync(`${root}${path}`, 'utf8')

test('a candidate is older than its release, by the order of dpkg', () => {
  assert.equal(toDebianVersion('1.0.0-rc.1'), '1.0.0~rc.1')
  assert.equal(toDebianVersion('1.0.0'), '1.0.0')
})

test('the units name the places of the package', () => {
  for (const path of globSync('examples/systemd/*', { cwd: root })) {
    const unit = toPackaged(read(path))
    assert.doesNotMatch(unit, /\/opt\/parley|\/etc\/parley\/environment|\/etc\/systemd/, path)
  }
  assert.match(toPackaged(read('examples/systemd/parley.service')), /^EnvironmentFile=\/etc\/parley\/parley\.env$/m)
})

test('every setting is a comment, because what is set wins over the unit, and the folder of the data is the unit’s', () => {
  const settings = toSettings(read('.env.example'))
  const set = settings.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  assert.deepEqual(set, [])
  assert.match(settings, /^#BASE_URL=$/m)
  assert.doesNotMatch(settings, /DATA_DIR=/)
})
