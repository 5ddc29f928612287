import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Participant } from '@parley/client/join'
import { type AnnouncedState, happeningsBetween } from './happenings.ts'

const person = (id: string, more: Partial<Participant> = {}): Participant => ({
  id,
  name: id,
  role: 'participant',
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
  isMine,
  isPrivate: false,
  to: null,
  text: `text ${id}`,
  receivedOn: new Date(0),
})
const waits = (admissionId: string) => ({ admissionId, name: admissionId, email: null, askedOn: '' })
const roomWith = (...waiting: string[]) => ({
  locked: false,
  waitingRoom: false,
  asksNewGuests: false,
  waiting: waiting.map(waits),
  turnedAway: [],
  participants: [],
})
const seen = (more: Partial<AnnouncedState> = {}): AnnouncedState => ({
  others: [person('ann')],
  messages: [],
  door: null,
  ...more,
})
const screen = { attach: () => () => {} }

const rows: [string, Partial<AnnouncedState>, Partial<AnnouncedState>, string[]][] = [
  ['nothing', {}, {}, []],
  ['somebody comes', {}, { others: [person('ann'), person('bob')] }, ['joined bob']],
  ['with a hand up', {}, { others: [person('ann'), person('bob', { handPlace: 1 })] }, ['joined bob', 'hand bob']],
  ['somebody goes', { others: [person('ann'), person('bob')] }, {}, ['left bob']],
  ['muted', {}, { others: [person('ann', { muted: true })] }, ['muted ann']],
  ['unmuted', { others: [person('ann', { muted: true })] }, {}, ['unmuted ann']],
  ['a hand goes up', {}, { others: [person('ann', { handPlace: 2 })] }, ['hand ann']],
  ['a hand moves up', { others: [person('ann', { handPlace: 2 })] }, { others: [person('ann', { handPlace: 1 })] }, []],
  ['a hand comes down', { others: [person('ann', { handPlace: 1 })] }, {}, []],
  ['a screen', {}, { others: [person('ann', { screen })] }, ['sharing ann']],
  ['no screen any more', { others: [person('ann', { screen })] }, {}, ['sharingEnded ann']],
  ['somebody speaks', {}, { others: [person('ann', { speaking: true })] }, []],
  ['a message', { messages: [message(1)] }, { messages: [message(1), message(2)] }, ['chat ann']],
  ['one’s own message', {}, { messages: [message(1, true)] }, []],
  ['somebody at the door', { door: roomWith('eve') }, { door: roomWith('eve', 'fay') }, ['waiting fay']],
  ['the first at the door', {}, { door: roomWith('eve') }, ['waiting eve']],
  ['nobody at the door any more', { door: roomWith('eve') }, { door: roomWith() }, []],
]

for (const [name, before, after, happened] of rows) {
  test(name, () => {
    const actual = happeningsBetween(seen(before), seen(after)).map(({ kind, id }) => `${kind} ${id}`)
    assert.deepEqual(actual, happened)
  })
}
