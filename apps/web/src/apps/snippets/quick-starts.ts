export type Part = { kind: 'text' | 'code'; text: string }
export type QuickStart = { name: string; parts: Part[] }

const heading = 'Quick start: '

/** The programs of docs/oauth.md, which the service's own tests run word by word, with what is said between them. */
export function readQuickStarts(page: string): QuickStart[] {
  return page
    .split(/^## /m)
    .filter((section) => section.startsWith(heading))
    .map((section) => {
      const end = section.indexOf('\n')
      return { name: section.slice(heading.length, end), parts: readParts(section.slice(end)) }
    })
}

/** What stands between fences is code, the paragraphs around it are text. */
function readParts(section: string): Part[] {
  return section.split(/^```/m).flatMap((piece, index): Part[] => {
    if (index % 2 === 1) return [{ kind: 'code', text: piece.slice(piece.indexOf('\n') + 1).trimEnd() }]
    return piece
      .split(/\n{2,}/)
      .map((text) => text.trim())
      .filter((text) => text !== '')
      .map((text) => ({ kind: 'text', text }))
  })
}

/** Puts what the programs read into the shell's environment; the secret is typed there, and stays out of its history. */
export const writeEnvironment = (issuer: string, clientId: string): string =>
  [`export ISSUER=${issuer}`, `export CLIENT_ID=${clientId}`, 'read -rs CLIENT_SECRET && export CLIENT_SECRET'].join(
    '\n',
  )

/** The scopes that a program asks for. */
export const scopesIn = (text: string, known: readonly string[]): string[] =>
  known.filter((scope) => text.includes(scope))
