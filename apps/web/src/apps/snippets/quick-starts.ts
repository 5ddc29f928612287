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

/** Where the page's examples say that Parley is served, and where their own program listens. */
const pageIssuer = 'http://localhost:3000'
export const pageCallback = 'http://localhost:8080/callback'

export type OwnValues = { issuer: string; callback: string; scopes: readonly string[] }

/** A list of scopes as a program writes it: after `user:read` come others, with what parts them. */
const scopeList = /user:read(?:(%20| |", "|', ')meeting:\w+)+/g

/** The page's program with an app's own issuer, callback and scopes. */
export const fillIn = (text: string, { issuer, callback, scopes }: OwnValues): string =>
  text
    .replaceAll(pageIssuer, issuer)
    .replaceAll(pageCallback, callback)
    .replaceAll(scopeList, (_list, between: string) => scopes.join(between))

/** The callback that the page's programs listen on where the app has registered it; else its first one. */
export const callbackFor = (callbackUrls: readonly string[], preferred: string): string =>
  callbackUrls.includes(preferred) ? preferred : (callbackUrls[0] ?? preferred)

/** Puts what the programs read into the shell's environment; the secret is typed there, and stays out of its history. */
export const writeEnvironment = (issuer: string, clientId: string): string =>
  [`export ISSUER=${issuer}`, `export CLIENT_ID=${clientId}`, 'read -rs CLIENT_SECRET && export CLIENT_SECRET'].join(
    '\n',
  )

/** The scopes that a program asks for. */
export const scopesIn = (text: string, known: readonly string[]): string[] =>
  known.filter((scope) => text.includes(scope))
