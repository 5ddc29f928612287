import { directionOf } from '@parley/texts/languages'

/** Scripts in use that are written right to left, and the most common ones written left to right. */
const rightToLeft =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u
const leftToRight =
  /[\p{L}--[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]]/v

/**
 * Isolate a value that is written in the other direction than the sentence (UAX 9, 2.4), so that a user-chosen name
 * does not reorder its surroundings. Where React renders a name, `<bdi>` does this.
 */
export function isolate(language: string, value: string): string {
  const other = directionOf(language) === 'rtl' ? leftToRight : rightToLeft
  return other.test(value) ? `\u2068${value.replaceAll(/[\u2066-\u2069]/g, '')}\u2069` : value
}
