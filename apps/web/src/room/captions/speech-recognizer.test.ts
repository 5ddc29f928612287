import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import {
  availabilityOf,
  findLocalRecognition,
  type LocalRecognition,
  recognizeSpeech,
  splitText,
} from './speech-recognizer.ts'

class FakeRecognition extends EventTarget {
  static made: FakeRecognition[] = []
  static available = async () => 'available'
  static install = async () => true
  lang = ''
  continuous = false
  interimResults = false
  aborted = false
  track: unknown
  get processLocally() {
    return this.#local
  }
  set processLocally(on: boolean) {
    this.#local = on
  }
  #local = false

  start(track: unknown) {
    this.track = track
    FakeRecognition.made.push(this)
  }
  abort() {
    this.aborted = true
  }
  recognize(...parts: [string, boolean][]) {
    const results = parts.map(([transcript, isFinal]) => ({ isFinal, 0: { transcript } }))
    this.dispatchEvent(Object.assign(new Event('result'), { resultIndex: 0, results }))
  }
  fail(error: string) {
    this.dispatchEvent(Object.assign(new Event('error'), { error }))
    this.dispatchEvent(new Event('end'))
  }
  end() {
    this.dispatchEvent(new Event('end'))
  }
}

function start(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] })
  FakeRecognition.made = []
  const said: string[] = []
  let failures = 0
  const copy = { stopped: false, stop: () => Object.assign(copy, { stopped: true }) }
  const stop = recognizeSpeech({
    recognition: FakeRecognition as unknown as LocalRecognition,
    language: 'de-DE',
    track: { clone: () => copy } as unknown as MediaStreamTrack,
    nowMs: () => Date.now(),
    onText: (text, isFinal) => said.push(`${text}${isFinal ? '.' : '…'}`),
    onFailure: () => {
      failures += 1
    },
  })
  const last = () => FakeRecognition.made.at(-1) ?? assert.fail()
  return { said, stop, last, copy, failures: () => failures, made: () => FakeRecognition.made.length }
}

test('uses only recognition that can be bound to the device', () => {
  class Remote {}
  class WithoutLanguages {
    processLocally = true
  }
  assert.equal(findLocalRecognition({}), undefined)
  assert.equal(findLocalRecognition({ webkitSpeechRecognition: Remote }), undefined)
  assert.equal(findLocalRecognition({ SpeechRecognition: WithoutLanguages }), undefined)
  assert.equal(findLocalRecognition({ webkitSpeechRecognition: FakeRecognition }), FakeRecognition)
})

test('a browser that refuses to say what it recognises recognises nothing', async () => {
  const refusing = { available: () => Promise.reject(new Error('NotAllowedError')) } as unknown as LocalRecognition
  assert.equal(await availabilityOf(refusing, 'en-US'), 'unavailable')
})

test('recognises a copy of the track on the device, in the language', (t) => {
  const { last, copy } = start(t)
  const { lang, continuous, interimResults, processLocally, track } = last()
  assert.deepEqual([lang, continuous, interimResults, processLocally], ['de-DE', true, true, true])
  assert.equal(track, copy)
})

test('a line grows, becomes final once, and the next one begins', (t) => {
  const { said, last } = start(t)
  last().recognize(['guten', false])
  last().recognize(['guten', false], ['Morgen', false])
  last().recognize(['Guten Morgen', true])
  last().recognize(['Guten Tag', true], ['wie', false])
  assert.deepEqual(said, ['guten…', 'guten Morgen…', 'Guten Morgen.', 'Guten Tag.', 'wie…'])
})

test('starts again when it ends after silence, and finishes the line', (t) => {
  const { said, last, made, failures } = start(t)
  last().recognize(['moment', false])
  t.mock.timers.tick(60_000)
  last().fail('no-speech')
  assert.deepEqual(said, ['moment…', 'moment.'])
  t.mock.timers.tick(300)
  assert.deepEqual([made(), failures()], [2, 0])
})

test('ends for good when the browser does not allow it, or when it ends at once again and again', (t) => {
  const { last, copy, failures } = start(t)
  last().fail('service-not-allowed')
  assert.deepEqual([failures(), copy.stopped], [1, true])
  t.mock.timers.reset()
  const repeated = start(t)
  for (let count = 0; count < 6; count++) {
    assert.equal(repeated.failures(), 0)
    repeated.last().end()
    t.mock.timers.tick(300)
  }
  assert.deepEqual([repeated.failures(), repeated.made()], [1, 6])
})

test('stopping finishes the line, and nothing follows', (t) => {
  const { said, stop, last, copy, made, failures } = start(t)
  last().recognize(['so', false])
  stop()
  last().recognize(['so what', true])
  last().end()
  t.mock.timers.tick(60_000)
  assert.deepEqual([said, last().aborted, copy.stopped, made(), failures()], [['so…', 'so.'], true, true, 1, 0])
})

test('splits a long text between words, and a word that is too long', () => {
  assert.deepEqual(splitText(' a  b '), ['a  b'])
  assert.deepEqual(splitText('  '), [])
  const words = `${'x'.repeat(300)} ${'y'.repeat(300)}`
  assert.deepEqual(splitText(words), ['x'.repeat(300), 'y'.repeat(300)])
  assert.deepEqual(splitText('z'.repeat(1001)), ['z'.repeat(500), 'z'.repeat(500), 'z'])
})
