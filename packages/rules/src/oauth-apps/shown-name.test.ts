import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ShownName, shownName } from './shown-name.ts'

const claims = { name: { claimedName: 'Google Calendar (verified)' }, isReviewed: false, clientHost: undefined }
const cases: readonly (readonly [string, Parameters<typeof shownName>, ShownName])[] = [
  [
    'a reviewed app has its name',
    [{ ...claims, isReviewed: true }, ['https://evil.example/cb']],
    { kind: 'name', name: 'Google Calendar (verified)' },
  ],
  [
    'an app with a document has its host',
    [{ ...claims, clientHost: 'a.example' }, ['https://evil.example/cb']],
    { kind: 'host', host: 'a.example' },
  ],
  [
    'an app without one has that of its redirect URI',
    [claims, ['https://evil.example:8443/cb']],
    { kind: 'host', host: 'evil.example:8443' },
  ],
  [
    'an app with several redirect URIs has all hosts',
    [claims, ['https://calendar.example/', 'https://evil.example/', 'https://evil.example/2']],
    { kind: 'host', host: 'calendar.example, evil.example' },
  ],
  ['a loopback address is none', [claims, ['http://127.0.0.1/cb']], { kind: 'unnamed' }],
  ['localhost is none', [claims, ['http://localhost:3118/cb']], { kind: 'unnamed' }],
  ['a scheme of its own is none', [claims, ['com.calendar.google:/cb']], { kind: 'unnamed' }],
  ['a mixture is none', [claims, ['https://calendar.example/', 'http://localhost/cb']], { kind: 'unnamed' }],
  ['no address is none', [claims, []], { kind: 'unnamed' }],
]
for (const [name, parameters, shown] of cases) {
  test(name, () => assert.deepEqual(shownName(...parameters), shown))
}
