import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { configOf, problemsOf } from '../../../test/read-config.ts'

let folder = ''

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley config '))
})

afterEach(() => rm(folder, { recursive: true }))

const livekit = { LIVEKIT_URL: 'wss://livekit.example.org', LIVEKIT_API_KEY: 'parley', LIVEKIT_API_SECRET: 'hidden' }
const turn = { TURN_URLS: 'turn:turn.example.org', TURN_SECRET: 'hidden' }

test('requires the settings of LiveKit, and of TURN, complete or absent', async () => {
  const { LIVEKIT_URL, LIVEKIT_API_KEY, LIVEKIT_API_SECRET } = livekit
  assert.deepEqual(problemsOf({ LIVEKIT_URL }), [
    'LIVEKIT_API_KEY must be given when LIVEKIT_URL is.',
    'LIVEKIT_API_SECRET must be given when LIVEKIT_URL is.',
  ])
  assert.deepEqual(problemsOf({ LIVEKIT_API_KEY, LIVEKIT_API_SECRET }), [
    'LIVEKIT_URL must be given when LIVEKIT_API_KEY and LIVEKIT_API_SECRET are.',
  ])
  assert.deepEqual(problemsOf({ TURN_URLS: turn.TURN_URLS }), ['TURN_SECRET must be given when TURN_URLS is.'])
  assert.deepEqual(problemsOf({ TURN_SECRET: 'hidden' }), ['TURN_URLS must be given when TURN_SECRET is.'])

  const file = join(folder, 'secret')
  await writeFile(file, 'from a file\n')
  const config = configOf({
    LIVEKIT_URL: 'http://127.0.0.1:7880',
    LIVEKIT_API_KEY,
    LIVEKIT_API_SECRET_FILE: file,
    TURN_URLS: turn.TURN_URLS,
    TURN_SECRET_FILE: file,
  })
  assert.deepEqual(config.livekit, { url: 'ws://127.0.0.1:7880', apiKey: 'parley', apiSecret: 'from a file' })
  assert.deepEqual(config.turn, { urls: ['turn:turn.example.org'], secret: 'from a file' })
})

test('refuses an invalid address of LiveKit or TURN in one sentence, without secrets', () => {
  const wrong: [object, string, string[]][] = [
    [
      livekit,
      'LIVEKIT_URL',
      ['livekit.example.org', 'wss://livekit.example.org/rtc', 'wss://a:hidden@livekit', 'wss://'],
    ],
    [livekit, 'LIVEKIT_URL', ['wss://livekit.example.org?a', 'turn:livekit.example.org']],
    [turn, 'TURN_URLS', ['turn.example.org', 'turn:', 'turn:a:b@c', 'stun:turn.example.org', 'turn:a,', 'turn:a?b=c']],
  ]
  for (const [given, name, values] of wrong) {
    for (const value of values) {
      const [first = '', ...more] = problemsOf({ ...given, [name]: value })
      assert.deepEqual([first.startsWith(`${name} is `), more], [true, []], value)
      assert.ok(!first.includes('hidden'), first)
    }
  }
})
