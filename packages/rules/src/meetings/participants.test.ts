import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  completeParticipants,
  maxCohosts,
  maxParticipants,
  readParticipants,
  type SentParticipants,
} from './participants.ts'

const hostKey = 'alice@example.org'

function read(sent: SentParticipants) {
  const { value: people, violations = [] } = readParticipants(sent, hostKey)
  return { people, found: violations.map(({ path, code }) => `${path} ${code}`) }
}

const addresses = (count: number) => Array.from({ length: count }, (_, index) => `guest${index}@example.org`)

const bob = { email: 'bob@example.org', addressKey: 'bob@example.org', invited: true, cohost: false }
const carol = { email: 'carol@example.org', addressKey: 'carol@example.org', invited: true, cohost: false }

const merged: readonly (readonly [string, SentParticipants, readonly object[]])[] = [
  ['nothing', {}, []],
  ['empty lists', { participants: [], cohosts: [] }, []],
  ['two, in the order sent', { participants: ['carol@example.org', 'bob@example.org'] }, [carol, bob]],
  ['as strings and as objects', { participants: ['bob@example.org', { email: 'carol@example.org' }] }, [bob, carol]],
  ['the same address twice', { participants: ['bob@example.org', 'bob@example.org'] }, [bob]],
  [
    'the same address in another case, in its first spelling',
    { participants: ['Bob@Example.ORG', { email: 'bob@example.org' }] },
    [{ ...bob, email: 'Bob@Example.ORG' }],
  ],
  ['the host', { participants: ['alice@example.org', 'bob@example.org'] }, [bob]],
  ['the host in another case', { participants: [{ email: 'ALICE@example.org' }], cohosts: ['Alice@Example.org'] }, []],
  ['a cohost who is not invited', { cohosts: ['bob@example.org'] }, [{ ...bob, invited: false, cohost: true }]],
  [
    'a cohost who is invited is one person',
    { participants: ['bob@example.org', 'carol@example.org'], cohosts: ['BOB@example.org'] },
    [{ ...bob, cohost: true }, carol],
  ],
  ['a cohost twice', { cohosts: ['bob@example.org', 'Bob@example.org'] }, [{ ...bob, invited: false, cohost: true }]],
  [
    'items that the schema refused',
    { participants: [undefined, { email: undefined }, 'bob@example.org'], cohosts: [undefined] },
    [bob],
  ],
]
for (const [name, sent, people] of merged) {
  test(`people: ${name}`, () => assert.deepEqual(read(sent), { people, found: [] }))
}

const cases: readonly (readonly [string, SentParticipants, readonly string[]])[] = [
  ['1,000 participants', { participants: addresses(1000) }, []],
  ['1,001 participants', { participants: addresses(1001) }, ['/participants too_many']],
  ['1,000 participants and the host', { participants: [...addresses(1000), hostKey] }, []],
  ['1,000 participants, each twice', { participants: [...addresses(1000), ...addresses(1000)] }, []],
  [
    '1,000 participants, and one of them in another case',
    { participants: [...addresses(1000), 'GUEST0@EXAMPLE.ORG'] },
    [],
  ],
  ['1,000 participants and a cohost beside them', { participants: addresses(1000), cohosts: ['bob@example.org'] }, []],
  ['100 cohosts', { cohosts: addresses(100) }, []],
  ['101 cohosts', { cohosts: addresses(101) }, ['/cohosts too_many']],
  ['100 cohosts, one of them twice, and the host', { cohosts: [...addresses(100), 'guest0@example.org', hostKey] }, []],
  ['a string that is not an address', { participants: ['bob'] }, ['/participants/0 bad_format']],
  ['an empty string', { participants: [''] }, ['/participants/0 bad_format']],
  ['an object with no address', { participants: [{ email: 'bob' }] }, ['/participants/0/email bad_format']],
  ['a cohost with no address', { cohosts: ['carol@example.org', 'bob'] }, ['/cohosts/1 bad_format']],
  [
    'several at once',
    { participants: ['bob@example.org', 'x', { email: '@' }, ...addresses(1001)], cohosts: ['y'] },
    [
      '/participants/1 bad_format',
      '/participants/2/email bad_format',
      '/cohosts/0 bad_format',
      '/participants too_many',
    ],
  ],
]
for (const [name, sent, found] of cases) {
  test(`${name}: ${found.join(', ') || 'accepted'}`, () => assert.deepEqual(read(sent).found, found))
}

test('an update drops the host, and keeps the cohosts if it omits them', () => {
  const sent = readParticipants({ participants: ['Alice@example.org', 'Bob@example.org'] }, undefined)
  const cohosts = ['bob@example.org', 'carol@example.org']
  assert.deepEqual(completeParticipants(sent.value ?? [], { cohosts, hostAddressKey: hostKey }), [
    { ...bob, email: 'Bob@example.org', cohost: true },
    { ...carol, invited: false, cohost: true },
  ])
  assert.deepEqual(completeParticipants([bob], { cohosts: [hostKey], hostAddressKey: hostKey }), [bob])
})

test('the host counts towards the limit while the host is unknown', () => {
  const { violations } = readParticipants({ participants: [...addresses(1000), hostKey] }, undefined)
  assert.deepEqual(
    violations?.map(({ path, code }) => `${path} ${code}`),
    ['/participants too_many'],
  )
})

test('the maximum of people is the documented one', () => {
  assert.equal(maxParticipants, 1000)
  assert.equal(maxCohosts, 100)
})
