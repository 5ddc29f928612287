/** The code of an error of Node, PostgreSQL or a library, such as `ENOENT` or `57014`; empty without one. */
export function codeOf(error: unknown): string {
  const { code } = Object(error) as { code?: unknown }
  return typeof code === 'string' ? code : ''
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
