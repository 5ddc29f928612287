/** A ground for somebody's initials, the same each time that the name is shown. */
export const groundOf = (name: string): number =>
  [...name].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0)
