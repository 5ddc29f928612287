import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actionsFor } from './person-actions.ts'

const video = { attach: () => () => {} }

type ActionContext = Parameters<typeof actionsFor>[0]
const speaking: ActionContext = {
  myRole: 'host',
  person: { isMe: false, role: 'participant', muted: false, handPlace: null, camera: null, screen: null },
  hardMuted: false,
  madeCohost: false,
  removableHost: false,
}
const withPerson = (more: Partial<ActionContext['person']>): ActionContext => ({
  ...speaking,
  person: { ...speaking.person, ...more },
})

const rows: [string, ActionContext, string[]][] = [
  ['the host, on a speaking participant', speaking, ['mute', 'make_cohost', 'make_host', 'remove']],
  ['a cohost, on a speaking participant', { ...speaking, myRole: 'cohost' }, ['mute', 'remove']],
  [
    'the host, on a muted participant',
    withPerson({ muted: true }),
    ['ask_unmute', 'make_cohost', 'make_host', 'remove'],
  ],
  [
    'the host, on a hard-muted participant',
    { ...withPerson({ muted: true }), hardMuted: true },
    ['lift_hard_mute', 'make_cohost', 'make_host', 'remove'],
  ],
  ['the host, on a cohost of the meeting', withPerson({ role: 'cohost' }), ['mute', 'make_host', 'remove']],
  [
    'the host, on a cohost made in the room',
    { ...withPerson({ role: 'cohost' }), madeCohost: true },
    ['mute', 'remove_cohost', 'make_host', 'remove'],
  ],
  [
    'a cohost, on a cohost made in the room',
    { ...withPerson({ role: 'cohost' }), madeCohost: true, myRole: 'cohost' },
    ['mute', 'remove'],
  ],
  [
    'the account that hosts the meeting, on another host',
    { ...withPerson({ role: 'host' }), removableHost: true },
    ['mute', 'remove_host', 'remove'],
  ],
  ['a cohost, on the host', { ...withPerson({ role: 'host' }), myRole: 'cohost' }, []],
  ['the host, on themselves in another window', withPerson({ role: 'host' }), ['mute', 'remove']],
  [
    'the host, on a participant with camera, screen and a raised hand',
    withPerson({ camera: video, screen: video, handPlace: 1 }),
    ['lower_hand', 'mute', 'stop_camera', 'stop_share', 'make_cohost', 'make_host', 'remove'],
  ],
  [
    'a cohost, on the host with a raised hand',
    { ...withPerson({ role: 'host', handPlace: 2, camera: video }), myRole: 'cohost' },
    ['lower_hand'],
  ],
  ['a participant, on a raised hand', { ...withPerson({ handPlace: 1 }), myRole: 'participant' }, []],
  ['the host, on themselves', withPerson({ isMe: true, role: 'host' }), []],
  ['a participant, on a speaking participant', { ...speaking, myRole: 'participant' }, []],
  ['a caller whose role is not known yet', { ...speaking, myRole: null }, []],
]

for (const [name, asked, actions] of rows)
  test(`the actions of ${name}`, () => assert.deepEqual(actionsFor(asked), actions))
