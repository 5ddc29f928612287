import fc from 'fast-check'

/**
 * Generate any Unicode character. The unit `binary` of fc.string does, too, but takes half a second to find out
 * which of a million characters a text consists of.
 */
export const anyCharacter = fc
  .oneof(
    { weight: 0xd800, arbitrary: fc.integer({ min: 0, max: 0xd7ff }) },
    { weight: 0x110000 - 0xe000, arbitrary: fc.integer({ min: 0xe000, max: 0x10ffff }) },
  )
  .map((codePoint) => String.fromCodePoint(codePoint))
