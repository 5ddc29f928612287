/**
 * Whether a statement failed because a row with the same unique key exists.
 * @param constraint only of this constraint; undefined: of any
 * @see https://www.postgresql.org/docs/18/errcodes-appendix.html
 */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  const failure = Object(error) as { code?: unknown; constraint?: unknown }
  return failure.code === '23505' && (constraint === undefined || failure.constraint === constraint)
}
