import assert from 'node:assert/strict'
import { test } from 'node:test'
import { announce, type Happening } from './announcement.ts'

const did = (kind: Exclude<Happening['kind'], 'chat'>, id: string): Happening => ({ kind, id, name: id.toUpperCase() })
const wrote = (id: string, text: string): Happening => ({ kind: 'chat', id, name: id.toUpperCase(), text })
const one = (kind: string, id: string, text = '') => ({ key: `one.${kind}`, name: id.toUpperCase(), text })

const rows: [string, Happening[], object[]][] = [
  ['nothing', [], []],
  ['one person', [did('joined', 'ann')], [one('joined', 'ann')]],
  ['several people', [did('joined', 'ann'), did('joined', 'bob')], [{ key: 'many.joined', count: 2 }]],
  ['in and out again', [did('joined', 'ann'), did('left', 'ann')], [one('left', 'ann')]],
  ['out and in again', [did('left', 'ann'), did('joined', 'ann')], [one('joined', 'ann')]],
  ['on, off and on', [did('unmuted', 'ann'), did('muted', 'ann'), did('unmuted', 'ann')], [one('unmuted', 'ann')]],
  ['told twice', [did('hand', 'ann'), did('hand', 'ann')], [one('hand', 'ann')]],
  ['a message', [wrote('ann', 'Hi')], [one('chat', 'ann', 'Hi')]],
  ['two messages of one', [wrote('ann', 'Hi'), wrote('ann', 'Hi')], [{ key: 'many.chat', count: 2 }]],
  ['140 characters', [wrote('ann', 'x'.repeat(140))], [one('chat', 'ann', 'x'.repeat(140))]],
  ['141 characters', [wrote('ann', 'x'.repeat(141))], [one('chat', 'ann', `${'x'.repeat(140)}…`)]],
  [
    'the three that matter most',
    [did('muted', 'ann'), did('left', 'bob'), did('joined', 'cem'), wrote('dia', 'Hi'), did('hand', 'eve')],
    [one('hand', 'eve'), one('chat', 'dia', 'Hi'), one('joined', 'cem')],
  ],
]

for (const [name, happenings, said] of rows) test(name, () => assert.deepEqual(announce(happenings), said))
