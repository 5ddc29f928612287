import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Participant } from '@parley/client/join'
import { arrangeTiles, chooseFeatured, chooseHidden } from './arrange-tiles.ts'

const video = { attach: () => () => {} }

const person = (id: string): Participant => ({
  id,
  name: id,
  role: 'participant',
  isGuest: false,
  isMe: id === 'me',
  muted: false,
  speaking: false,
  quality: 'good',
  microphone: null,
  camera: null,
  isVideoPaused: false,
  isScreenPaused: false,
  screen: null,
  screenAudio: null,
  handPlace: null,
})
const sharing = (people: readonly Participant[], ...ids: string[]) =>
  people.map((one) => (ids.includes(one.id) ? { ...one, screen: video } : one))

const people = ['me', 'ann', 'bob', 'cem', 'dia'].map((id) => person(id))
const pair = people.slice(0, 2)
const alone = people.slice(0, 1)

const lit = (...ids: string[]) => ids.map((admissionId) => ({ admissionId, source: 'camera' as const }))

const crowd = (count: number) => Array.from({ length: count }, (_, index) => person(`p${index}`))

type ArrangeOptions = Partial<Parameters<typeof chooseFeatured>[0]> & { page?: number; pageSize?: number }
type Row = [
  string,
  ArrangeOptions,
  { main?: string; more?: string[]; self?: string; others: string[]; page?: number; pages?: number },
]

const rows: Row[] = [
  ['everyone on one page', {}, { others: ['me', 'ann', 'bob', 'cem', 'dia'] }],
  ['no participants', { people: [] }, { others: [] }],
  ['exactly one full page', { pageSize: 5 }, { others: ['me', 'ann', 'bob', 'cem', 'dia'] }],
  ['one more than a page', { pageSize: 4 }, { others: ['me', 'ann', 'bob', 'cem'], pages: 2 }],
  ['the second page', { pageSize: 4, page: 1 }, { others: ['dia'], page: 1, pages: 2 }],
  ['a page after the last one', { pageSize: 4, page: 7 }, { others: ['dia'], page: 1, pages: 2 }],
  ['a page before the first one', { pageSize: 4, page: -1 }, { others: ['me', 'ann', 'bob', 'cem'], pages: 2 }],
  ['a speaker of the second page', { pageSize: 4, spoke: ['dia'] }, { others: ['me', 'ann', 'bob', 'dia'], pages: 2 }],
  [
    'a speaker on the first page, who keeps the position',
    { pageSize: 4, spoke: ['ann'] },
    { others: ['me', 'ann', 'bob', 'cem'], pages: 2 },
  ],
  ['a speaker who has left', { pageSize: 4, spoke: ['eve'] }, { others: ['me', 'ann', 'bob', 'cem'], pages: 2 }],
  ['speaker view, before anyone has spoken', { view: 'speaker' }, { main: 'ann', others: ['me', 'bob', 'cem', 'dia'] }],
  ['speaker view', { view: 'speaker', spoke: ['cem', 'ann'] }, { main: 'cem', others: ['me', 'ann', 'bob', 'dia'] }],
  [
    'speaker view, the caller spoke last',
    { view: 'speaker', spoke: ['me', 'bob'] },
    { main: 'bob', others: ['me', 'ann', 'cem', 'dia'] },
  ],
  ['the caller alone', { people: alone }, { self: 'me', others: [] }],
  ['the caller alone in speaker view', { view: 'speaker', people: alone }, { self: 'me', others: [] }],
  ['two people: the other large, the caller small', { people: pair }, { main: 'ann', self: 'me', others: [] }],
  ['three people in equal size', { people: people.slice(0, 3) }, { others: ['me', 'ann', 'bob'] }],
  [
    'a shared screen, large',
    { people: sharing(people, 'bob') },
    { main: 'bob screen', others: ['me', 'ann', 'bob', 'cem', 'dia'] },
  ],
  [
    'a shared screen in speaker view, large',
    { people: sharing(people, 'bob'), view: 'speaker', spoke: ['cem'] },
    { main: 'bob screen', others: ['me', 'ann', 'bob', 'cem', 'dia'] },
  ],
  ['two people: the other’s screen', { people: sharing(pair, 'ann') }, { main: 'ann screen', others: ['me', 'ann'] }],
  [
    'the caller’s own screen, as a tile',
    { people: sharing(people, 'me') },
    { others: ['me screen', 'me', 'ann', 'bob', 'cem', 'dia'] },
  ],
  [
    'two people: the caller’s own screen',
    { people: sharing(pair, 'me') },
    { main: 'ann', self: 'me', others: ['me screen'] },
  ],
  [
    'another’s screen takes precedence over the caller’s own',
    { people: sharing(people, 'me', 'bob') },
    { main: 'bob screen', others: ['me screen', 'me', 'ann', 'bob', 'cem', 'dia'] },
  ],
  [
    'a pinned tile takes precedence over a screen',
    { people: sharing(people, 'bob'), pinned: 'cem camera' },
    { main: 'cem', others: ['bob screen', 'me', 'ann', 'bob', 'dia'] },
  ],
  [
    'a pinned tile takes precedence over the speaker',
    { view: 'speaker', spoke: ['ann'], pinned: 'dia camera' },
    { main: 'dia', others: ['me', 'ann', 'bob', 'cem'] },
  ],
  ['two people: the caller pinned', { people: pair, pinned: 'me camera' }, { main: 'me', others: ['ann'] }],
  ['the caller hidden', { hidden: new Set(['me']) }, { others: ['ann', 'bob', 'cem', 'dia'] }],
  ['two people, the caller hidden', { people: pair, hidden: new Set(['me']) }, { main: 'ann', others: [] }],
  [
    'the only one who is not hidden, large',
    { hidden: new Set(['ann', 'bob', 'dia']) },
    { main: 'cem', self: 'me', others: [] },
  ],
  [
    'the screens of hidden people',
    { people: sharing(people, 'me', 'bob'), hidden: new Set(['me', 'bob']) },
    { main: 'bob screen', others: ['me screen', 'ann', 'cem', 'dia'] },
  ],
  ['forty-nine on a page', { people: crowd(51), pageSize: 49 }, { others: crowd(49).map(({ id }) => id), pages: 2 }],
  ['the rest of a crowd', { people: crowd(51), pageSize: 49, page: 1 }, { others: ['p49', 'p50'], page: 1, pages: 2 }],
  [
    'whom a host shows large to everyone, in the order of the host',
    { spotlight: lit('dia', 'ann') },
    { main: 'dia', more: ['ann'], others: ['me', 'bob', 'cem'] },
  ],
  [
    'a pinned tile before what a host shows large, who is the first of the others',
    { spotlight: lit('dia'), pinned: 'bob camera' },
    { main: 'bob', others: ['dia', 'me', 'ann', 'cem'] },
  ],
  [
    'a shared screen before the camera that a host shows large',
    { people: sharing(people, 'bob'), spotlight: lit('dia') },
    { main: 'bob screen', others: ['dia', 'me', 'ann', 'bob', 'cem'] },
  ],
  [
    'the screen that a host shows large before another',
    {
      people: sharing(people, 'bob', 'cem'),
      spotlight: [{ admissionId: 'cem', source: 'screen' }],
      shared: ['bob', 'cem'],
    },
    { main: 'cem screen', others: ['bob screen', 'me', 'ann', 'bob', 'cem', 'dia'] },
  ],
  [
    'a person whom a host shows large to the others, for that person',
    { spotlight: lit('me') },
    { others: ['me', 'ann', 'bob', 'cem', 'dia'] },
  ],
  [
    'two people, one of whom a host shows large',
    { people: pair, spotlight: lit('ann') },
    { main: 'ann', self: 'me', others: [] },
  ],
  [
    'people who are shown large and have left',
    { spotlight: lit('eve') },
    { others: ['me', 'ann', 'bob', 'cem', 'dia'] },
  ],
  [
    'the screen that was shared last, whoever joined first',
    { people: sharing(people, 'ann', 'bob'), shared: ['bob', 'ann'] },
    { main: 'bob screen', others: ['ann screen', 'me', 'ann', 'bob', 'cem', 'dia'] },
  ],
  ['a pinned person who has left', { pinned: 'eve camera' }, { others: ['me', 'ann', 'bob', 'cem', 'dia'] }],
  ['a pinned screen that has ended', { pinned: 'bob screen' }, { others: ['me', 'ann', 'bob', 'cem', 'dia'] }],
]

for (const [name, asked, { main, more = [], self, others, page = 0, pages = 1 }] of rows) {
  test(`arranges ${name}`, () => {
    const hidden: ReadonlySet<string> = new Set()
    const spotlight: Parameters<typeof chooseFeatured>[0]['spotlight'] = []
    const options = {
      people,
      view: 'grid',
      spoke: [],
      pinned: undefined,
      hidden,
      spotlight,
      shared: [],
      page: 0,
      pageSize: 9,
      ...asked,
    } as const
    const featured = chooseFeatured(options)
    const arranged = arrangeTiles({ ...options, featured })
    const short = (key: string | undefined) => key?.replace(' camera', '')
    assert.deepEqual([short(featured.main?.key), short(featured.self?.key)], [main, self])
    assert.deepEqual(
      featured.more.map(({ key }) => short(key)),
      more,
    )
    assert.deepEqual(
      arranged.others.map(({ key }) => short(key)),
      others,
    )
    assert.deepEqual([arranged.page, arranged.pages], [page, pages])
  })
}

const seen = (...ids: string[]) => people.map((one) => (ids.includes(one.id) ? { ...one, camera: video } : one))
const raised = (...ids: string[]) => seen('ann').map((one) => (ids.includes(one.id) ? { ...one, handPlace: 1 } : one))

type Hidden = Partial<Parameters<typeof chooseHidden>[0]>
const hidings: [string, Hidden, { hidden: string[]; videoless?: number }][] = [
  ['no one', {}, { hidden: [] }],
  ['the caller', { hidesSelf: true }, { hidden: ['me'] }],
  [
    'all without video, but not the caller',
    { people: seen('ann'), hidesVideoless: true },
    { hidden: ['bob', 'cem', 'dia'], videoless: 3 },
  ],
  [
    'all without video except the latest speaker',
    { people: seen('ann'), hidesVideoless: true, spoke: ['bob', 'cem'] },
    { hidden: ['cem', 'dia'], videoless: 2 },
  ],
  [
    'all without video except a raised hand',
    { people: raised('dia'), hidesVideoless: true },
    { hidden: ['bob', 'cem'], videoless: 2 },
  ],
  [
    'all without video except a pinned person',
    { people: seen('ann'), hidesVideoless: true, pinned: 'cem camera' },
    { hidden: ['bob', 'dia'], videoless: 2 },
  ],
  [
    'all without video except whom a host shows large',
    { people: seen('ann'), hidesVideoless: true, spotlight: lit('dia') },
    { hidden: ['bob', 'cem'], videoless: 2 },
  ],
  ['no one while no one has video', { hidesVideoless: true }, { hidden: [] }],
  [
    'only the caller while no one else has video',
    { people: seen('me'), hidesVideoless: true, hidesSelf: true },
    { hidden: ['me'] },
  ],
]

for (const [name, asked, { hidden, videoless = 0 }] of hidings) {
  test(`hides ${name}`, () => {
    const options = {
      people,
      spoke: [],
      pinned: undefined,
      spotlight: [],
      hidesSelf: false,
      hidesVideoless: false,
      ...asked,
    }
    const chosen = chooseHidden(options)
    assert.deepEqual([[...chosen.hidden].toSorted(), chosen.videoless], [hidden.toSorted(), videoless])
  })
}
