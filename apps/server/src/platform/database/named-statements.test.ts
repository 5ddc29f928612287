import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeStatement } from './named-statements.ts'

for (const [text, name, operation] of [
  ['/* insert-meeting */ with created as (insert into meeting values ($1)) select', 'insert-meeting', 'WITH'],
  ['select "id" from "account" where "id" = $1', 'SELECT account', 'SELECT'],
  ['insert into "audit_entry" ("id") values ($1)', 'INSERT audit_entry', 'INSERT'],
  ['update "meeting" set "topic" = $1', 'UPDATE meeting', 'UPDATE'],
  ['begin', 'BEGIN', 'BEGIN'],
  ['select 1', 'SELECT', 'SELECT'],
] as const) {
  test(`names the span of ${text.slice(0, 30)} ${name}`, () => {
    const start = describeStatement(text)
    assert.equal(start.name, name)
    assert.equal(start.attributes['db.operation.name'], operation)
    assert.equal(start.attributes['db.query.text'], text)
  })
}

test('keeps the beginning of a long text', () => {
  const text = describeStatement(`select ${'a'.repeat(2_000)}`).attributes['db.query.text']
  assert.equal(String(text).length, 1_001)
})
