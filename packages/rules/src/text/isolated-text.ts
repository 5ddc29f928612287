import { directionOf, type Language } from './language.ts'

const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u

/**
 * A piece of somebody else's text in a plain sentence of ours: where either is written from the right, it is isolated
 * (UAX 9, 2.4), so that neither tears the other apart. Isolates that the piece itself leaves open are closed. In HTML it is
 * `<bdi>`.
 */
export function isolated(language: Language, piece: string): string {
  if (directionOf(language) === 'ltr' && !rightToLeft.test(piece)) return piece
  return `\u2068${piece.replaceAll(/[\u2066-\u2069]/g, '')}\u2069`
}
