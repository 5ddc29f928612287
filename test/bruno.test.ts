import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { endpoints } from '@parley/contract'
import { Format } from 'typebox/format'
import Schema from 'typebox/schema'
import { brunoCollection, brunoFolder, writeBruno } from '../scripts/write-bruno.ts'

// The service removes TypeBox's formats for the whole process.
before(() => Format.Reset())
after(() => Format.Clear())

const written = brunoCollection()

test('examples/bruno is the collection of the contract as it is', async () => {
  if (process.env.UPDATE_SNAPSHOTS === '1') await writeBruno()
  const files = globSync('**/*', { cwd: brunoFolder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(brunoFolder.length + 1))
  const advice = 'UPDATE_SNAPSHOTS=1 npm test -- test/bruno.test.ts rewrites examples/bruno'
  assert.deepEqual(files.toSorted(), [...written.keys()].toSorted(), advice)
  for (const [path, text] of written) assert.equal(readFileSync(join(brunoFolder, path), 'utf8'), text, advice)
})

test('it has one request for each endpoint, in the folder of its tag', () => {
  const others = /^(?:Story|environments)\/|\/folder\.bru$|^[^/]+$/
  const ofEndpoints = [...written.keys()].filter((path) => !others.test(path))
  assert.deepEqual(ofEndpoints.toSorted(), endpoints.map(({ tag, name }) => `${tag}/${name}.bru`).toSorted())
})

test('the contract accepts every body of it', () => {
  const wrong = endpoints.flatMap(({ name, tag, body, form }) => {
    if (body === undefined || form) return []
    const [, text = ''] = /^body:json \{\n([\s\S]*?)\n\}$/m.exec(written.get(`${tag}/${name}.bru`) ?? '') ?? []
    const [accepted, errors] = Schema.Errors(body, JSON.parse(text))
    return accepted ? [] : [`${name}: ${JSON.stringify(errors)}`]
  })
  assert.deepEqual(wrong, [])
})

test('no file of it contains a secret', () => {
  const environment = written.get('environments/Parley.bru') ?? ''
  assert.match(environment, /vars:secret \[\n {2}token,\n {2}clientSecret\n\]/)
  assert.doesNotMatch([...written.values()].join(''), /\b(?:sst|pat|oat)_\w/)
})
