import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { endpoints } from '@parley/contract'
import { Format } from 'typebox/format'
import Schema from 'typebox/schema'
import { brunoCollection } from '../../scripts/write-bruno.ts'

// The service removes TypeBox's formats for the whole process.
before(() => Format.Reset())
after(() => Format.Clear())

const written = brunoCollection()

test('the Bruno collection has one request for each endpoint, in the folder of its tag', () => {
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
