/** The background of an avatar, derived from the name, so that it stays the same. */
export const groundOf = (name: string): number =>
  [...name].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0)
