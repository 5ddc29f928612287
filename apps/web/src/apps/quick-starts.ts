import { type ClientType, isPublic } from '@parley/rules/oauth/client-type'
import { isLoopback } from '@parley/rules/oauth/loopback'
import { isRegistered } from '@parley/rules/oauth/redirect-uri'
import { callbackFor, exampleCallbacks } from '@parley/rules/oauth-apps/example-programs'

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

/** Parse the programs of docs/quick-starts.md, which the service's tests run verbatim, with the text between them. */
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

/** Auth.js builds its callback from the address of the site. */
const authJsPath = '/auth/callback/parley'

/** The callback that a program has on the page. */
export const exampleCallbackOf = ({ name }: Pick<QuickStart, 'name'>, clientType: ClientType): string =>
  name === 'Auth.js' ? new URL(authJsPath, exampleCallbacks.confidential).href : exampleCallbacks[clientType]

/**
 * The callback that an app has to register before a program runs on its developer's machine; undefined when it runs
 * with one that the app has.
 */
export function missingCallback(
  quickStart: Pick<QuickStart, 'name'>,
  { callbackUrls, clientType }: { callbackUrls: readonly string[]; clientType: ClientType },
): string | undefined {
  const example = exampleCallbackOf(quickStart, clientType)
  const chosen = callbackFor(callbackUrls, example)
  if (quickStart.name !== 'Auth.js')
    return isLoopback(chosen) || isRegistered(example, callbackUrls, clientType) ? undefined : example
  const wanted = isLoopback(chosen) ? new URL(authJsPath, chosen).href : example
  return callbackUrls.includes(wanted) ? undefined : wanted
}
