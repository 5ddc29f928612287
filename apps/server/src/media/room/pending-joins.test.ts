import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PendingJoins } from './pending-joins.ts'

const limits = { perOwner: 3, total: 5 }

/** Joins by name, and the ones evicted so far. */
function joins() {
  const pending = new PendingJoins(limits)
  const evicted: string[] = []
  const join = (name: string, owner: string, network?: string) =>
    pending.add({ owner, network }, () => evicted.push(name))
  return { pending, evicted, join }
}

test('limits pending joins of one owner, and evicts the oldest for a new one', () => {
  const { pending, evicted, join } = joins()
  for (const name of ['a', 'b', 'c']) join(name, 'alice')
  assert.deepEqual(evicted, [])
  join('d', 'alice')
  assert.deepEqual([evicted, pending.size], [['a'], 3])
})

test('limits all pending joins, and evicts from the owner with most of them, not the oldest', () => {
  const { pending, evicted, join } = joins()
  join('bob', 'bob')
  join('carol', 'carol')
  for (const name of ['a', 'b', 'c']) join(name, 'mallory')
  assert.equal(pending.size, 5)
  join('dave', 'dave')
  assert.deepEqual([evicted, pending.size], [['a'], 5])
})

test("evicts from an owner's network with most pending joins", () => {
  const { evicted, join } = joins()
  join('guest', 'alice', '192.0.2.1')
  join('m1', 'alice', '203.0.113.1')
  join('m2', 'alice', '203.0.113.1')
  join('m3', 'alice', '203.0.113.1')
  join('m4', 'alice', '203.0.113.1')
  assert.deepEqual(evicted, ['m1', 'm2'])
})

test('a join that has connected, or has gone, takes no place', () => {
  const { pending, evicted, join } = joins()
  const connected = join('a', 'alice')
  join('b', 'alice')
  join('c', 'alice')
  connected()
  connected()
  join('d', 'alice')
  assert.deepEqual([evicted, pending.size], [[], 3])
})
