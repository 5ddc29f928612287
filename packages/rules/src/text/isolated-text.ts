import { directionOf, type Language } from '@parley/texts/languages'

const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u

/**
 * Isolate user-written text within a plain sentence of ours when either is written from right to left (UAX 9, 2.4),
 * so that neither reorders the other. Isolates in the piece are removed. In HTML use `<bdi>` instead.
 */
export function isolated(language: Language, piece: string): string {
  if (directionOf(language) === 'ltr' && !rightToLeft.test(piece)) return piece
  return `\u2068${piece.replaceAll(/[\u2066-\u2069]/g, '')}\u2069`
}
