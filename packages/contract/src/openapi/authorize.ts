import type { JsonObject } from './schema.ts'

/**
 * The authorization endpoint (RFC 6749, 3.1). This is a page for browsers and no endpoint of the contract, but an app
 * has to send its users there.
 */
export const authorizePath = '/oauth2/authorize'

const eitherName = 'One of `client_id` and `clientId` is required; both must be equal'

export const authorizeOperation = (): JsonObject => ({
  operationId: 'authorize',
  tags: ['OAuth'],
  summary: "Send a user's browser here to ask for tokens",
  description:
    'The user signs in, reads what the app asks for, and consents or refuses. The browser then returns to ' +
    '`redirect_uri` with `code`, `state` and `iss`, or with `error`, `error_description`, `state` and `iss`. A POST with ' +
    'a form is accepted as well. Unknown parameters are ignored.\n\nFor a browser: no credentials are sent.',
  security: [],
  parameters: [
    query('response_type', 'Always `code`', { type: 'string', enum: ['code'] }, { required: true }),
    query('client_id', `The app's client id. ${eitherName}`, { type: 'string', maxLength: 512 }),
    query(
      'clientId',
      `\`client_id\`, as the original API spells it. ${eitherName}`,
      { type: 'string', maxLength: 512 },
      // oapi-codegen would give both spellings one name, which does not compile.
      { 'x-go-name': 'ClientIdInCamelCase' },
    ),
    query(
      'redirect_uri',
      'Where the browser returns to: one of the callback URLs that the app has registered, character by character',
      { type: 'string', format: 'uri', maxLength: 2048 },
      { required: true },
    ),
    query('scope', 'Scopes with spaces between them; all scopes of the app when absent', {
      type: 'string',
      maxLength: 1000,
      examples: ['meeting:create meeting:read'],
    }),
    query('state', 'Returned unchanged, so that the app knows its own request; at most 4,096 bytes', {
      type: 'string',
      maxLength: 4096,
    }),
    query('code_challenge', 'PKCE (RFC 7636): the SHA-256 of the code verifier in base64url, 43 characters', {
      type: 'string',
      pattern: '^[A-Za-z0-9_-]{43}$',
    }),
    query('code_challenge_method', 'Always `S256`; needed with `code_challenge`', { type: 'string', enum: ['S256'] }),
    query('resource', 'What the tokens are for (RFC 8707): the API, or the MCP server; the API when absent', {
      type: 'string',
      format: 'uri',
      maxLength: 2048,
    }),
    query(
      'prompt',
      '`none` shows no page and fails where one would be needed; `login` asks for a new sign-in, `consent` for consent ' +
        'again, `select_account` for the account. Several may be sent with spaces between them, except with `none`',
      { type: 'string', maxLength: 100, examples: ['login consent'] },
    ),
    query('login_hint', 'The email address to put into the sign-in form', { type: 'string', maxLength: 254 }),
  ],
  responses: {
    303: {
      description:
        "To Parley's own pages for sign-in and consent, or directly back to `redirect_uri` with an `error` where the " +
        'request is refused.',
      headers: {
        Location: {
          description: 'Where the browser continues.',
          required: true,
          schema: { type: 'string', format: 'uri-reference' },
        },
      },
    },
    400: page('The app or `redirect_uri` is not known: shown to the user, because no redirect URI can be trusted.'),
    403: page('The app is suspended, or in the sandbox and not open to this user.'),
    429: page('Too many requests from this network.'),
  },
})

const query = (name: string, description: string, schema: JsonObject, more: JsonObject = {}): JsonObject => ({
  name,
  in: 'query',
  required: false,
  description,
  schema,
  ...more,
})

const page = (description: string): JsonObject => ({
  description,
  content: { 'text/html': { schema: { type: 'string', description: 'A page for the user.' } } },
})
