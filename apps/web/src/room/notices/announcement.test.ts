import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Participant } from '@parley/client/join'
import { allRights } from '@parley/contract'
import { type AnnouncedState, announce, type Happening, happeningsBetween } from './announcement.ts'

const person = (id: string, more: Partial<Participant> = {}): Participant => ({
  id,
  name: id,
  role: 'participant',
  isGuest: false,
  isMe: false,
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
  ...more,
})
const message = (id: number, isMine = false) => ({
  id,
  from: 'ann',
  name: 'ann',
  isGuest: false,
  isMine,
  isPrivate: false,
  to: null,
  text: `text ${id}`,
  receivedOn: new Date(0),
})
const waits = (admissionId: string) => ({
  admissionId,
  name: admissionId,
  email: null,
  guest: true,
  formerName: null,
  askedOn: '',
})
const roomWith = (...waiting: string[]) => ({
  locked: false,
  waitingRoom: false,
  approvalRequired: false,
  allowed: allRights,
  controllable: [],
  breakout: null,
  breakoutSupported: true,
  owns: true,
  waiting: waiting.map(waits),
  denied: [],
  participants: [],
})
const seen = (more: Partial<AnnouncedState> = {}): AnnouncedState => ({
  others: [person('ann')],
  elsewhere: [],
  messages: [],
  hostView: null,
  ...more,
})
const screen = { attach: () => () => {} }

const changes: [string, Partial<AnnouncedState>, Partial<AnnouncedState>, string[]][] = [
  ['nothing changes', {}, {}, []],
  ['a person joins', {}, { others: [person('ann'), person('bob')] }, ['joined bob']],
  [
    'a person joins with a raised hand',
    {},
    { others: [person('ann'), person('bob', { handPlace: 1 })] },
    ['joined bob', 'hand bob'],
  ],
  ['a person leaves', { others: [person('ann'), person('bob')] }, {}, ['left bob']],
  ['a person mutes', {}, { others: [person('ann', { muted: true })] }, ['muted ann']],
  ['a person unmutes', { others: [person('ann', { muted: true })] }, {}, ['unmuted ann']],
  ['a hand is raised', {}, { others: [person('ann', { handPlace: 2 })] }, ['hand ann']],
  [
    'a raised hand moves up in the order',
    { others: [person('ann', { handPlace: 2 })] },
    { others: [person('ann', { handPlace: 1 })] },
    [],
  ],
  ['a hand is lowered', { others: [person('ann', { handPlace: 1 })] }, {}, []],
  ['a screen is shared', {}, { others: [person('ann', { screen })] }, ['sharing ann']],
  ['a screen is no longer shared', { others: [person('ann', { screen })] }, {}, ['sharingEnded ann']],
  ['a person speaks', {}, { others: [person('ann', { speaking: true })] }, []],
  ['a message arrives', { messages: [message(1)] }, { messages: [message(1), message(2)] }, ['chat ann']],
  ['the caller sends a message', {}, { messages: [message(1, true)] }, []],
  ['a further person waits', { hostView: roomWith('eve') }, { hostView: roomWith('eve', 'fay') }, ['waiting fay']],
  ['a first person waits', {}, { hostView: roomWith('eve') }, ['waiting eve']],
  ['the last waiting person is admitted or leaves', { hostView: roomWith('eve') }, { hostView: roomWith() }, []],
]

for (const [name, before, after, happened] of changes) {
  test(`the events when ${name}: ${happened.join(', ') || 'none'}`, () => {
    const actual = happeningsBetween(seen(before), seen(after)).map(({ kind, id }) => `${kind} ${id}`)
    assert.deepEqual(actual, happened)
  })
}

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

const announcements: [string, Happening[], object[]][] = [
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

for (const [name, happenings, said] of announcements)
  test(`announces ${name}`, () => assert.deepEqual(announce(happenings), said))

test('a person who goes to another breakout room has neither left nor joined', () => {
  const elsewhere = [{ id: 'ann', name: 'ann', isGuest: false, breakoutRoom: 'one' }]
  const gone = seen({ others: [], elsewhere })
  assert.deepEqual(happeningsBetween(seen(), gone), [])
  assert.deepEqual(happeningsBetween(gone, seen()), [])
})
