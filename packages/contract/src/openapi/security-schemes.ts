import sentences from '@parley/texts/en/scopes.json' with { type: 'json' }
import { exchangeToken, revokeToken, scopeNames } from '../index.ts'
import { authorizePath } from './authorize.ts'
import type { JsonObject } from './schema.ts'

/** The ways to authenticate, by the names that operations refer to. */
export const securitySchemes = (baseUrl: string): JsonObject => ({
  oauth2: {
    type: 'oauth2',
    description:
      'For apps that act for people who let them: the `access_token` of the authorization code flow, as a bearer token. ' +
      `PKCE with S256 is accepted. Tokens are revoked at \`${revokeToken.path}\`.`,
    flows: {
      authorizationCode: {
        authorizationUrl: `${baseUrl}${authorizePath}`,
        tokenUrl: `${baseUrl}${exchangeToken.path}`,
        refreshUrl: `${baseUrl}${exchangeToken.path}`,
        scopes: Object.fromEntries(scopeNames.map((scope) => [scope, sentences[scope]])),
      },
    },
  },
  token: {
    type: 'http',
    scheme: 'bearer',
    description:
      'The `token` of a sign-in, a personal token, or the `access_token` that an app was given. ' +
      '`Authorization: <token>` without the word `Bearer` is read alike.',
  },
  clientCredentials: {
    type: 'http',
    scheme: 'basic',
    description: "An app's client id and secret, each form-encoded (RFC 6749, 2.3.1).",
  },
  sessionCookie: {
    type: 'apiKey',
    in: 'cookie',
    name: sessionCookieName(baseUrl),
    description: 'Set by a sign-in, for our own pages: a change is taken from our own origin only.',
  },
})

/** Under https the cookie has the `__Host-` prefix, which binds it to this host. */
const sessionCookieName = (baseUrl: string) =>
  baseUrl.startsWith('https:') ? '__Host-parley_session' : 'parley_session'
