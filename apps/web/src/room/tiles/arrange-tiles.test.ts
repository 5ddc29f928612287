import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Participant } from '@parley/client/join'
import { arrangeTiles, chooseFeatured } from './arrange-tiles.ts'

const video = { attach: () => () => {} }

const person = (id: string): Participant => ({
  id,
  name: id,
  role: 'participant',
  isMe: id === 'me',
  muted: false,
  speaking: false,
  quality: 'good',
  microphone: null,
  camera: null,
  screen: null,
  screenAudio: null,
  handPlace: null,
})
const sharing = (people: readonly Participant[], ...ids: string[]) =>
  people.map((one) => (ids.includes(one.id) ? { ...one, screen: video } : one))

const people = ['me', 'ann', 'bob', 'cem', 'dia'].map((id) => person(id))
const pair = people.slice(0, 2)
const alone = people.slice(0, 1)

type ArrangeOptions = Partial<Parameters<typeof chooseFeatured>[0]> & { page?: number; pageSize?: number }
type Row = [string, ArrangeOptions, { main?: string; self?: string; others: string[]; page?: number; pages?: number }]

const rows: Row[] = [
  ['all on one page', {}, { others: ['me', 'ann', 'bob', 'cem', 'dia'] }],
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
    'speaker view, oneself spoke last',
    { view: 'speaker', spoke: ['me', 'bob'] },
    { main: 'bob', others: ['me', 'ann', 'cem', 'dia'] },
  ],
  ['alone, oneself is small', { people: alone }, { self: 'me', others: [] }],
  ['alone in the speaker view', { view: 'speaker', people: alone }, { self: 'me', others: [] }],
  ['two people: the other is large, oneself is small', { people: pair }, { main: 'ann', self: 'me', others: [] }],
  ['three people are of equal size', { people: people.slice(0, 3) }, { others: ['me', 'ann', 'bob'] }],
  [
    'a screen is large',
    { people: sharing(people, 'bob') },
    { main: 'bob screen', others: ['me', 'ann', 'bob', 'cem', 'dia'] },
  ],
  [
    'also in the speaker view',
    { people: sharing(people, 'bob'), view: 'speaker', spoke: ['cem'] },
    { main: 'bob screen', others: ['me', 'ann', 'bob', 'cem', 'dia'] },
  ],
  ['the screen of the other of two', { people: sharing(pair, 'ann') }, { main: 'ann screen', others: ['me', 'ann'] }],
  [
    'one’s own screen is a tile',
    { people: sharing(people, 'me') },
    { others: ['me screen', 'me', 'ann', 'bob', 'cem', 'dia'] },
  ],
  [
    'one’s own screen beside the other of two',
    { people: sharing(pair, 'me') },
    { main: 'ann', self: 'me', others: ['me screen'] },
  ],
  [
    'another’s screen before one’s own',
    { people: sharing(people, 'me', 'bob') },
    { main: 'bob screen', others: ['me screen', 'me', 'ann', 'bob', 'cem', 'dia'] },
  ],
  [
    'what is pinned before a screen',
    { people: sharing(people, 'bob'), pinned: 'cem camera' },
    { main: 'cem', others: ['bob screen', 'me', 'ann', 'bob', 'dia'] },
  ],
  [
    'what is pinned before the speaker',
    { view: 'speaker', spoke: ['ann'], pinned: 'dia camera' },
    { main: 'dia', others: ['me', 'ann', 'bob', 'cem'] },
  ],
  ['oneself pinned, of two', { people: pair, pinned: 'me camera' }, { main: 'me', others: ['ann'] }],
  ['a pinned person who has left', { pinned: 'eve camera' }, { others: ['me', 'ann', 'bob', 'cem', 'dia'] }],
  ['a pinned screen that has ended', { pinned: 'bob screen' }, { others: ['me', 'ann', 'bob', 'cem', 'dia'] }],
]

for (const [name, asked, { main, self, others, page = 0, pages = 1 }] of rows) {
  test(name, () => {
    const options = { people, view: 'grid', spoke: [], pinned: undefined, page: 0, pageSize: 9, ...asked } as const
    const featured = chooseFeatured(options)
    const arranged = arrangeTiles({ ...options, featured })
    const short = (key: string | undefined) => key?.replace(' camera', '')
    assert.deepEqual([short(featured.main?.key), short(featured.self?.key)], [main, self])
    assert.deepEqual(
      arranged.others.map(({ key }) => short(key)),
      others,
    )
    assert.deepEqual([arranged.page, arranged.pages], [page, pages])
  })
}
