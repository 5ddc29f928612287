import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Participant } from '@parley/client/join'
import { arrangeTiles } from './arrange-tiles.ts'

const picture = { attach: () => () => {} }

const person = (id: string): Participant => ({
  ...{ id, name: id, role: 'participant', isMe: id === 'me', muted: false, speaking: false, quality: 'good' },
  ...{ microphone: null, camera: null, screen: null, screenAudio: null, handPlace: null },
})

const people = ['me', 'ann', 'bob', 'cem', 'dia'].map((id) => person(id))
const sharing = people.map((one) => (one.id === 'bob' ? { ...one, screen: picture } : one))
const bothSharing = sharing.map((one) => (one.id === 'me' ? { ...one, screen: picture } : one))

type Row = [
  string,
  Partial<Parameters<typeof arrangeTiles>[0]>,
  { main?: string; others: string[]; page?: number; pages?: number },
]

const rows: Row[] = [
  ['all on one page', {}, { others: ['me', 'ann', 'bob', 'cem', 'dia'] }],
  ['alone', { people: [person('me')] }, { others: ['me'] }],
  ['nobody yet', { people: [] }, { others: [] }],
  ['exactly one page', { pageSize: 5 }, { others: ['me', 'ann', 'bob', 'cem', 'dia'] }],
  ['one more than a page', { pageSize: 4 }, { others: ['me', 'ann', 'bob', 'cem'], pages: 2 }],
  ['the second page', { pageSize: 4, page: 1 }, { others: ['dia'], page: 1, pages: 2 }],
  ['past the last page', { pageSize: 4, page: 7 }, { others: ['dia'], page: 1, pages: 2 }],
  ['before the first page', { pageSize: 4, page: -1 }, { others: ['me', 'ann', 'bob', 'cem'], pages: 2 }],
  ['a speaker of the second page', { pageSize: 4, spoke: ['dia'] }, { others: ['me', 'ann', 'bob', 'dia'], pages: 2 }],
  ['a speaker in sight stays', { pageSize: 4, spoke: ['ann'] }, { others: ['me', 'ann', 'bob', 'cem'], pages: 2 }],
  ['a speaker who has left', { pageSize: 4, spoke: ['eve'] }, { others: ['me', 'ann', 'bob', 'cem'], pages: 2 }],
  ['speaker view, nobody spoke', { view: 'speaker' }, { main: 'ann', others: ['me', 'bob', 'cem', 'dia'] }],
  ['speaker view', { view: 'speaker', spoke: ['cem', 'ann'] }, { main: 'cem', others: ['me', 'ann', 'bob', 'dia'] }],
  [
    'one does not see oneself',
    { view: 'speaker', spoke: ['me', 'bob'] },
    { main: 'bob', others: ['me', 'ann', 'cem', 'dia'] },
  ],
  ['speaker view, alone', { view: 'speaker', people: [person('me')] }, { main: 'me', others: [] }],
  ['a screen is large', { people: sharing }, { main: 'bob screen', others: ['me', 'ann', 'bob', 'cem', 'dia'] }],
  [
    'also in the speaker view',
    { people: sharing, view: 'speaker', spoke: ['cem'] },
    { main: 'bob screen', others: ['me', 'ann', 'bob', 'cem', 'dia'] },
  ],
  [
    'another’s screen before one’s own',
    { people: bothSharing },
    { main: 'bob screen', others: ['me screen', 'me', 'ann', 'bob', 'cem', 'dia'] },
  ],
]

for (const [name, asked, { main, others, page = 0, pages = 1 }] of rows) {
  test(name, () => {
    const arranged = arrangeTiles({ people, view: 'grid', spoke: [], page: 0, pageSize: 9, ...asked })
    const short = (key: string | undefined) => key?.replace(' camera', '')
    assert.equal(short(arranged.main?.key), main)
    assert.deepEqual(
      arranged.others.map(({ key }) => short(key)),
      others,
    )
    assert.deepEqual([arranged.page, arranged.pages], [page, pages])
  })
}
