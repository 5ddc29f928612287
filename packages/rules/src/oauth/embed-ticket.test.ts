import assert from 'node:assert/strict'
import { test } from 'node:test'
import { embedTicketMs, findTicketRefusal, framingOrigins, type StoredTicket, scopesInFrame } from './embed-ticket.ts'

const now = new Date('2030-01-07T09:00:00Z')
const ticket: StoredTicket = {
  roomCode: '1234567890',
  expiresAt: new Date(now.getTime() + embedTicketMs),
  clientId: 'app_planner',
  sandbox: false,
  embedOrigins: ['https://planner.example', 'http://localhost:3000'],
  isLive: true,
  scopes: ['meeting:join'],
}
const frame = { svcMeetId: '1234567890', clientId: 'app_planner', origin: 'https://planner.example' }

const cases: readonly (readonly [string, Partial<StoredTicket>, Partial<typeof frame>, RegExp?])[] = [
  ['a ticket in its frame', {}, {}],
  ['the last millisecond', { expiresAt: new Date(now.getTime() + 1) }, {}],
  ['the sixtieth second', { expiresAt: now }, {}, /more than 60 seconds/],
  ['ended tokens', { isLive: false }, {}, /tokens of the user have ended/],
  ['another meeting', {}, { svcMeetId: '1234567891' }, /another meeting/],
  ['another app', {}, { clientId: 'app_other' }, /not that of the app/],
  ['an app that has no client id yet', { clientId: null }, { clientId: '' }, /not that of the app/],
  ['another port', {}, { origin: 'https://planner.example:8443' }, /approved/],
  ['a subdomain', {}, { origin: 'https://a.planner.example' }, /approved/],
  ['plain http', {}, { origin: 'http://planner.example' }, /approved/],
  ['a page without an origin', {}, { origin: 'null' }, /approved/],
  ['withdrawn consent', { scopes: ['meeting:read'] }, {}, /meeting:join/],
  ['the sandbox on localhost', { sandbox: true }, { origin: 'http://localhost:3000' }],
  ['the sandbox on the network', { sandbox: true }, {}, /not on localhost/],
]
for (const [name, stored, sent, refused] of cases) {
  test(`${refused === undefined ? 'accepts' : 'refuses'} ${name}`, () => {
    const cause = findTicketRefusal({ ...ticket, ...stored }, { ...frame, ...sent }, now)
    if (refused === undefined) assert.equal(cause, undefined)
    else assert.match(cause ?? '', refused)
  })
}

test('lets the pages of the sandbox be on the developer’s machine alone, and those of a live app where they were reviewed', () => {
  assert.deepEqual(framingOrigins(true, ticket.embedOrigins), ['http://localhost:3000'])
  assert.deepEqual(framingOrigins(false, ticket.embedOrigins), ticket.embedOrigins)
})

test('gives the frame of the scopes only those of the room', () => {
  assert.deepEqual(scopesInFrame(['user:read', 'meeting:delete', 'meeting:read', 'meeting:join']), [
    'meeting:join',
    'meeting:read',
  ])
})
