import { directionOf } from './languages.ts'

/** The scripts of today that are written from the right; the scripts that most letters written from the left are of. */
const rightToLeft =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u
const leftToRight =
  /[\p{L}--[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]]/v

/**
 * A value within a sentence: where it is written in the other direction than the sentence, it is isolated (UAX 9, 2.4), so
 * that a name of somebody else's choice moves nothing that stands beside it. Where React writes a name, `<bdi>` does it.
 */
export function isolate(language: string, value: string): string {
  const other = directionOf(language) === 'rtl' ? leftToRight : rightToLeft
  return other.test(value) ? `\u2068${value.replaceAll(/[\u2066-\u2069]/g, '')}\u2069` : value
}
