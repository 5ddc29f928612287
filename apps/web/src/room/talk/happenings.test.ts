import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Participant } from '@parley/client/join'
import { type AnnouncedState, happeningsBetween } from './happenings.ts'

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
const waits = (admissionId: string) => ({ admissionId, name: admissionId, email: null, guest: true, askedOn: '' })
const roomWith = (...waiting: string[]) => ({
  locked: false,
  waitingRoom: false,
  approvalRequired: false,
  waiting: waiting.map(waits),
  denied: [],
  participants: [],
})
const seen = (more: Partial<AnnouncedState> = {}): AnnouncedState => ({
  others: [person('ann')],
  messages: [],
  hostView: null,
  ...more,
})
const screen = { attach: () => () => {} }

const rows: [string, Partial<AnnouncedState>, Partial<AnnouncedState>, string[]][] = [
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

for (const [name, before, after, happened] of rows) {
  test(`the events when ${name}: ${happened.join(', ') || 'none'}`, () => {
    const actual = happeningsBetween(seen(before), seen(after)).map(({ kind, id }) => `${kind} ${id}`)
    assert.deepEqual(actual, happened)
  })
}
