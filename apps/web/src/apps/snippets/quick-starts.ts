type SnippetPart = { kind: 'text' | 'code'; text: string }
export type QuickStart = { name: string; parts: SnippetPart[] }

const heading = 'Quick start: '

/** Parse the programs of docs/oauth.md, which the service's tests run verbatim, with the text between them. */
export function readQuickStarts(page: string): QuickStart[] {
  return page
    .split(/^## /m)
    .filter((section) => section.startsWith(heading))
    .map((section) => {
      const end = section.indexOf('\n')
      return { name: section.slice(heading.length, end), parts: readParts(section.slice(end)) }
    })
}

/** Text between fences is code; the paragraphs around it are prose. */
function readParts(section: string): SnippetPart[] {
  return section.split(/^```/m).flatMap((piece, index): SnippetPart[] => {
    if (index % 2 === 1) return [{ kind: 'code', text: piece.slice(piece.indexOf('\n') + 1).trimEnd() }]
    return piece
      .split(/\n{2,}/)
      .map((text) => text.trim())
      .filter((text) => text !== '')
      .map((text) => ({ kind: 'text', text }))
  })
}

/**
 * Shell commands that set the program's environment variables. The secret is read from the terminal, so that it stays
 * out of the shell's history.
 */
export const writeEnvironment = (issuer: string, clientId: string): string =>
  [`export ISSUER=${issuer}`, `export CLIENT_ID=${clientId}`, 'read -rs CLIENT_SECRET && export CLIENT_SECRET'].join(
    '\n',
  )

/** The scopes that a program requests. */
export const scopesIn = (text: string, known: readonly string[]): string[] =>
  known.filter((scope) => text.includes(scope))
