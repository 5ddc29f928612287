import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type AccentShades, contrastOf, deriveAccentColours, readColour } from './accent-colours.ts'

test('reads colours of three and six digits, and nothing else', () => {
  assert.equal(readColour('#1A2B3C'), '#1a2b3c')
  assert.equal(readColour(' 1a2b3c '), '#1a2b3c')
  assert.equal(readColour('#f0a'), '#ff00aa')
  for (const text of ['', '#', 'red', '#12345', '#1234567', '#12345g', 'rgb(1,2,3)', '#abc; }']) {
    assert.equal(readColour(text), undefined, text)
  }
})

test('computes the contrast of black and white, and of a colour with itself', () => {
  assert.equal(contrastOf('#000000', '#ffffff'), 21)
  assert.equal(contrastOf('#14655a', '#14655a'), 1)
  // The published pair that just reaches 4.5:1.
  assert.ok(contrastOf('#767676', '#ffffff') >= 4.5)
  assert.ok(contrastOf('#777777', '#ffffff') < 4.5)
})

const surfaces = { light: ['#ffffff', '#f4f5f3', '#e3e7e3'], dark: ['#19201d', '#101513', '#222a27'] }

function lowestContrast({ accent, tint, onAccent }: AccentShades, grounds: readonly string[]) {
  return Math.min(contrastOf(onAccent, accent), ...[tint, ...grounds].map((ground) => contrastOf(accent, ground)))
}

test('every colour gives shades with 4.5:1 in both schemes', () => {
  const any = fc.integer({ min: 0, max: 0xff_ff_ff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)
  const extreme = fc.constantFrom(
    '#000000',
    '#ffffff',
    '#ff0000',
    '#00ff00',
    '#0000ff',
    '#ffff00',
    '#00ffff',
    '#ff00ff',
  )
  fc.assert(
    fc.property(fc.oneof(any, extreme), (colour) => {
      const { light, dark } = deriveAccentColours(colour)
      assert.ok(lowestContrast(light, surfaces.light) >= 4.5, `${colour} light ${JSON.stringify(light)}`)
      assert.ok(lowestContrast(dark, surfaces.dark) >= 4.5, `${colour} dark ${JSON.stringify(dark)}`)
      assert.notEqual(light.hover, light.accent)
      assert.notEqual(dark.hover, dark.accent)
      for (const shade of [...Object.values(light), ...Object.values(dark)]) assert.match(shade, /^#[\da-f]{6}$/)
    }),
    { numRuns: 400 },
  )
})

test('text on a hovered button is readable as well', () => {
  const any = fc.integer({ min: 0, max: 0xff_ff_ff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)
  fc.assert(
    fc.property(any, (colour) => {
      for (const { hover, onAccent } of Object.values(deriveAccentColours(colour))) {
        assert.ok(contrastOf(hover, onAccent) >= 4.5, `${colour} ${hover} ${onAccent}`)
      }
    }),
    { numRuns: 400 },
  )
})

test('a colour that is readable stays what it is', () => {
  assert.equal(deriveAccentColours('#14655a').light.accent, '#14655a')
  assert.equal(deriveAccentColours('#6cc9b8').dark.accent, '#6cc9b8')
})

test('a bright yellow is darkened for light pages and kept on dark ones', () => {
  const { light, dark } = deriveAccentColours('#ffd500')
  assert.equal(dark.accent, '#ffd500')
  assert.notEqual(light.accent, '#ffd500')
})
