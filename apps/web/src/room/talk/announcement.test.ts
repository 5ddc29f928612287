import assert from 'node:assert/strict'
import { test } from 'node:test'
import { announce, type Happening } from './announcement.ts'

const did = (kind: Exclude<Happening['kind'], 'chat'>, id: string): Happening => ({
  kind,
  id,
  name: id.toUpperCase(),
  isGuest: false,
})
const wrote = (id: string, text: string): Happening => ({
  kind: 'chat',
  id,
  name: id.toUpperCase(),
  isGuest: false,
  text,
})
const one = (kind: string, id: string, text = '') => ({
  key: `one.${kind}`,
  name: id.toUpperCase(),
  isGuest: false,
  text,
})

const rows: [string, Happening[], object[]][] = [
  ['nothing without events', [], []],
  ['one person', [did('joined', 'ann')], [one('joined', 'ann')]],
  ['several people', [did('joined', 'ann'), did('joined', 'bob')], [{ key: 'many.joined', count: 2 }]],
  ['a person who joins and leaves, as left', [did('joined', 'ann'), did('left', 'ann')], [one('left', 'ann')]],
  [
    'a person who leaves and joins again, as joined',
    [did('left', 'ann'), did('joined', 'ann')],
    [one('joined', 'ann')],
  ],
  [
    'a microphone switched on, off and on, as on',
    [did('unmuted', 'ann'), did('muted', 'ann'), did('unmuted', 'ann')],
    [one('unmuted', 'ann')],
  ],
  ['a repeated event once', [did('hand', 'ann'), did('hand', 'ann')], [one('hand', 'ann')]],
  ['a message', [wrote('ann', 'Hi')], [one('chat', 'ann', 'Hi')]],
  ['two messages of one person', [wrote('ann', 'Hi'), wrote('ann', 'Hi')], [{ key: 'many.chat', count: 2 }]],
  ['a message of 140 characters, whole', [wrote('ann', 'x'.repeat(140))], [one('chat', 'ann', 'x'.repeat(140))]],
  ['a message of 141 characters, cut', [wrote('ann', 'x'.repeat(141))], [one('chat', 'ann', `${'x'.repeat(140)}…`)]],
  [
    'at most three sentences, the most important ones',
    [did('muted', 'ann'), did('left', 'bob'), did('joined', 'cem'), wrote('dia', 'Hi'), did('hand', 'eve')],
    [one('hand', 'eve'), one('chat', 'dia', 'Hi'), one('joined', 'cem')],
  ],
]

for (const [name, happenings, said] of rows)
  test(`announces ${name}`, () => assert.deepEqual(announce(happenings), said))
