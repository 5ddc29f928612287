import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseSpokenLanguage, listSpokenLanguages } from './speech-languages.ts'
import type { LanguageAvailability, LocalRecognition } from './speech-recognizer.ts'

const german = { tag: 'de-DE', availability: 'available' } as const
const american = { tag: 'en-US', availability: 'downloadable' } as const

test('lists what the browser recognises on this device, in order', async () => {
  const known: Record<string, LanguageAvailability> = {
    'en-US': 'downloadable',
    'de-DE': 'available',
    sv: 'downloading',
  }
  const recognition = {
    available: async ({ langs, processLocally }: { langs: string[]; processLocally: boolean }) => {
      assert.equal(processLocally, true)
      return known[langs[0] ?? ''] ?? 'unavailable'
    },
  } as unknown as LocalRecognition
  const listed = await listSpokenLanguages(recognition, ['sv', 'de-DE'])
  assert.deepEqual(listed, [german, american, { tag: 'sv', availability: 'downloading' }])
})

test('chooses what the person chose, or else prefers, in any region', () => {
  const choose = (chosen: string | null, preferred: string[]) =>
    chooseSpokenLanguage([german, american], chosen, preferred)?.tag
  assert.equal(choose('en-US', ['de-DE']), 'en-US')
  assert.equal(choose(null, ['fr-FR', 'de-AT', 'en-US']), 'de-DE')
  assert.equal(choose('xx', ['en-GB']), 'en-US')
  assert.equal(choose(null, ['fr-FR']), undefined)
})
