import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actionsFor } from './person-actions.ts'

const video = { attach: () => () => {} }

type ActionContext = Parameters<typeof actionsFor>[0]
const speaking: ActionContext = {
  myRole: 'host',
  person: { isMe: false, role: 'participant', muted: false, handPlace: null, camera: null, screen: null },
  hardMuted: false,
}
const withPerson = (more: Partial<ActionContext['person']>): ActionContext => ({
  ...speaking,
  person: { ...speaking.person, ...more },
})

const rows: [string, ActionContext, string[]][] = [
  ['the host, somebody who speaks', speaking, ['mute', 'make_cohost', 'remove']],
  ['a cohost, somebody who speaks', { ...speaking, myRole: 'cohost' }, ['mute', 'make_cohost', 'remove']],
  ['the host, somebody muted', withPerson({ muted: true }), ['ask_unmute', 'make_cohost', 'remove']],
  [
    'the host, somebody who may not speak',
    { ...withPerson({ muted: true }), hardMuted: true },
    ['lift_hard_mute', 'make_cohost', 'remove'],
  ],
  ['the host, a cohost', withPerson({ role: 'cohost' }), ['mute', 'remove']],
  ['a cohost, the host', { ...withPerson({ role: 'host' }), myRole: 'cohost' }, []],
  ['the host in another window', withPerson({ role: 'host' }), ['mute', 'remove']],
  [
    'the host, somebody seen, who shares a screen with a hand up',
    withPerson({ camera: video, screen: video, handPlace: 1 }),
    ['lower_hand', 'mute', 'stop_camera', 'stop_share', 'make_cohost', 'remove'],
  ],
  [
    'a cohost, the host, whose hand is up',
    { ...withPerson({ role: 'host', handPlace: 2, camera: video }), myRole: 'cohost' },
    ['lower_hand'],
  ],
  ['a participant, a raised hand', { ...withPerson({ handPlace: 1 }), myRole: 'participant' }, []],
  ['oneself', withPerson({ isMe: true, role: 'host' }), []],
  ['a participant', { ...speaking, myRole: 'participant' }, []],
  ['nobody yet', { ...speaking, myRole: null }, []],
]

for (const [name, asked, actions] of rows) test(name, () => assert.deepEqual(actionsFor(asked), actions))
