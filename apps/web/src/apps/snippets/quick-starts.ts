import { type ClientType, isPublic } from '@parley/rules/oauth/client-type'

type SnippetPart = { kind: 'text' | 'code'; text: string }
export type QuickStart = { name: string; parts: SnippetPart[] }

const heading = 'Quick start: '

/** How the names of programs begin that are not for an app on a server. */
const publicPrograms = { native: 'Native app', single_page: 'Single-page app' }

/** The programs for apps of this type. */
export const quickStartsFor = (quickStarts: readonly QuickStart[], clientType: ClientType): QuickStart[] =>
  quickStarts.filter(({ name }) =>
    clientType === 'confidential'
      ? !Object.values(publicPrograms).some((start) => name.startsWith(start))
      : name.startsWith(publicPrograms[clientType]),
  )

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
 * out of the shell's history; public clients have none.
 */
export const writeEnvironment = (issuer: string, clientId: string, clientType: ClientType): string =>
  [
    `export ISSUER=${issuer}`,
    `export CLIENT_ID=${clientId}`,
    ...(isPublic(clientType) ? [] : ['read -rs CLIENT_SECRET && export CLIENT_SECRET']),
  ].join('\n')

/** The scopes that a program requests. */
export const scopesIn = (text: string, known: readonly string[]): string[] =>
  known.filter((scope) => text.includes(scope))
