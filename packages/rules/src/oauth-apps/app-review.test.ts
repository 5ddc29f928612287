import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AppState, type AppStep, readReasons, type SentReason, stateAfter } from './app-review.ts'

const order: readonly AppStep[] = [
  ...(['submit', 'withdraw', 'edit', 'approve', 'reject', 'hold', 'suspend', 'resume', 'delete'] as const),
]
const table: Record<AppState, readonly (AppState | 'before' | 'deleted' | '-')[]> = {
  draft: ['under_review', '-', 'draft', '-', '-', '-', 'suspended', '-', 'deleted'],
  under_review: [
    'under_review',
    'draft',
    'under_review',
    'approved',
    'rejected',
    'on_hold',
    'suspended',
    '-',
    'deleted',
  ],
  approved: ['-', '-', 'draft', '-', '-', '-', 'suspended', '-', 'deleted'],
  rejected: ['under_review', '-', 'rejected', '-', '-', '-', 'suspended', '-', 'deleted'],
  on_hold: ['under_review', '-', 'on_hold', 'approved', 'rejected', '-', 'suspended', '-', 'deleted'],
  suspended: ['-', '-', '-', '-', '-', '-', '-', 'before', 'deleted'],
}
for (const [state, row] of Object.entries(table) as [AppState, (typeof table)[AppState]][]) {
  for (const [index, step] of order.entries()) {
    const after = row[index]
    test(`${state} · ${step}: ${after}`, () => assert.equal(stateAfter(state, step) ?? '-', after))
  }
}

const other = (text: string): SentReason => ({ code: 'other', text })
const many = (count: number): SentReason[] => Array.from({ length: count }, () => ({ code: 'misleading' }))
const cases: readonly (readonly [string, readonly SentReason[], ...string[]])[] = [
  ['no reason', [], '/reasons too_few'],
  ['one', [{ code: 'invalid_url', field: 'callbackUrls' }]],
  ['20', many(20)],
  ['21', many(21), '/reasons too_many'],
  ['other without a text', [{ code: 'misleading' }, { code: 'other' }], '/reasons/1/text required'],
  ['other with a blank text', [other(' \n ')], '/reasons/0/text required'],
  ['other with a text', [other('The logo is ours.')]],
  ['a text of 1,000', [other('a'.repeat(1_000))]],
  ['a text of 1,001', [other('a'.repeat(1_001))], '/reasons/0/text too_long'],
  ['a text with a bell', [other('a\u0007')], '/reasons/0/text control_character'],
  ['a field of 100', [{ code: 'misleading', field: 'a'.repeat(100) }]],
  ['a field of 101', [{ code: 'misleading', field: 'a'.repeat(101) }], '/reasons/0/field too_long'],
]
for (const [name, reasons, ...expected] of cases) {
  test(`${name}: ${expected.join(', ') || 'valid'}`, () => {
    assert.deepEqual(
      (readReasons(reasons, true).violations ?? []).map(({ path, code }) => `${path} ${code}`),
      expected,
    )
  })
}

test('an approval needs no reason', () => assert.deepEqual(readReasons([], false), { value: [] }))
