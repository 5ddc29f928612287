import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { defineStatement, defineStatementVariants, type Parameter } from './define-statement.ts'
import { typed } from './tables.ts'

test('numbers parameters in the order of their first use, fragments included', () => {
  const ofTenant = (p: { tenantId: Parameter }) => sql`tenant_id = ${p.tenantId}`
  const find = defineStatement({
    name: 'find-notes',
    parameters: { id: 'uuid', tenantId: 'uuid', states: 'text?[]', seen: typed<'yes' | 'no'>('text?') },
    columns: { id: 'uuid' },
    text: (p) => sql`select id from note where ${ofTenant(p)} and state = any(${p.states})
      and (id = ${p.id} or not ${ofTenant(p)} or seen = ${p.seen}) limit ${sql.lit(10)}`,
  })
  assert.deepEqual(find.compiled, {
    text: `/* find-notes */ select id from note where tenant_id = $1::uuid and state = any($2::text[])
      and (id = $3::uuid or not tenant_id = $1::uuid or seen = $4::text) limit 10`,
    parameters: ['tenantId', 'states', 'id', 'seen'],
  })
})

test('refuses a value in the text, because it would be a constant of every call', () => {
  const find = defineStatement({ name: 'x', parameters: {}, text: () => sql`select ${'bob'}::text` })
  assert.throws(() => find.compiled, TypeError)
})

test('compiles each variant once, with the parameters that it uses', () => {
  let composed = 0
  const list = defineStatementVariants({
    name: 'list-notes',
    parameters: { hostId: 'uuid', after: 'timestamptz' },
    dimensions: { order: ['asc', 'desc'], hasCursor: [true, false] },
    columns: { id: 'uuid' },
    text: (p, { order, hasCursor }) => {
      composed++
      const cursor = hasCursor ? sql`and at > ${p.after}` : sql``
      return sql`select id from note where host_id = ${p.hostId} ${cursor} order by at ${sql.raw(order)}`
    },
  })
  const first = list({ order: 'desc', hasCursor: false })
  assert.equal(list({ hasCursor: false, order: 'desc' }), first)
  assert.deepEqual([first.compiled, first.compiled.parameters, composed], [first.compiled, ['hostId'], 1])
  assert.deepEqual(list({ order: 'asc', hasCursor: true }).compiled.parameters, ['hostId', 'after'])
})
