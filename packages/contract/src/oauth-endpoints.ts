import { Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { profile } from './profile-endpoints.ts'
import { nullableText, statusReply, timestamp, token, word } from './value.ts'

/** In the form, for clients that send their credentials there (RFC 6749, 2.3.1). */
const credentials = {
  client_id: Type.Optional(token('Client id, where it is not sent by HTTP Basic')),
  client_secret: Type.Optional(token('Client secret, where it is not sent by HTTP Basic')),
}

export const exchangeToken = endpoint({
  name: 'exchangeToken',
  method: 'POST',
  path: '/api/oauth2/v2/token',
  tag: 'OAuth',
  summary: 'Exchange a code, or a refresh token, for tokens',
  access: 'client',
  cost: 'light',
  form: true,
  body: Type.Object({
    grant_type: word({ description: '`authorization_code` or `refresh_token`' }),
    code: Type.Optional(token('With `authorization_code`: the code of the redirect, valid for five minutes and once')),
    redirect_uri: Type.Optional(
      Type.String({
        maxLength: 2_048,
        description: 'With `authorization_code`: as in the authorization request, if sent at all',
      }),
    ),
    code_verifier: Type.Optional(
      token('With `authorization_code`: the verifier of the `code_challenge` (RFC 7636, 4.5)'),
    ),
    refresh_token: Type.Optional(token('With `refresh_token`: the newest refresh token')),
    scope: Type.Optional(
      Type.String({ maxLength: 1_000, description: 'With a refresh token: fewer scopes than before' }),
    ),
    resource: Type.Optional(
      Type.String({
        maxLength: 2_048,
        description: 'The resource of the authorization request (RFC 8707, 2.2); it may be left out',
      }),
    ),
    ...credentials,
  }),
  example: {
    grant_type: 'authorization_code',
    code: 'code-of-the-redirect',
    redirect_uri: 'https://planner.example/callback',
    code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
  },
  reply: Type.Object({
    access_token: Type.String({ description: 'For `Authorization: Bearer`' }),
    token_type: Type.String({ description: 'Always `Bearer`', examples: ['Bearer'] }),
    expires_in: Type.Integer({ description: 'Seconds for which the access token is valid', examples: [86_400] }),
    refresh_token: Type.String({ description: 'For the next tokens; it replaces the one that was sent' }),
    scope: Type.String({
      description: 'The scopes that were granted, with spaces between them',
      examples: ['meeting:create meeting:read'],
    }),
  }),
  problems: [],
})

const tokenInForm = Type.Object({
  token: token('An access token or a refresh token'),
  token_type_hint: Type.Optional(word({ description: '`access_token` or `refresh_token`; it may be left out' })),
  ...credentials,
})

export const revokeToken = endpoint({
  name: 'revokeToken',
  method: 'POST',
  path: '/api/oauth2/v2/revoke',
  tag: 'OAuth',
  summary: 'Revoke a token (RFC 7009)',
  description: 'A refresh token takes its access tokens along. The answer is the same for a token that is not yours.',
  access: 'client',
  cost: 'light',
  form: true,
  body: tokenInForm,
  example: { token: 'token-to-revoke' },
  reply: Type.Object({}),
  problems: [],
})

export const introspectToken = endpoint({
  name: 'introspectToken',
  method: 'POST',
  path: '/api/oauth2/v2/introspect',
  tag: 'OAuth',
  summary: 'Ask whether one of your own tokens is good (RFC 7662)',
  access: 'client',
  cost: 'light',
  form: true,
  body: tokenInForm,
  example: { token: 'token-to-check' },
  reply: Type.Object({
    active: Type.Boolean({ description: 'Whether the token is good; the other fields are absent where it is not' }),
    scope: Type.Optional(Type.String({ description: 'Scopes of the token, with spaces between them' })),
    client_id: Type.Optional(Type.String({ description: 'Client id of the app' })),
    token_type: Type.Optional(Type.String({ description: '`Bearer` or `refresh_token`' })),
    exp: Type.Optional(Type.Integer({ description: 'When it ends, in seconds since 1970' })),
    iat: Type.Optional(Type.Integer({ description: 'When it was issued, in seconds since 1970' })),
    sub: Type.Optional(Type.String({ description: 'User id of the person who connected the app' })),
    iss: Type.Optional(Type.String({ description: 'The issuer' })),
    aud: Type.Optional(
      Type.String({ description: 'The resource that the token is for; absent where the app named none' }),
    ),
  }),
  problems: [],
})

export const readUserProfile = endpoint({
  name: 'readUserProfile',
  method: 'GET',
  path: '/api/user/profile',
  tag: 'OAuth',
  summary: 'Read the profile of the user who connected the app',
  access: 'user:read',
  cost: 'light',
  reply: Type.Object({
    ...Type.Pick(profile, [
      '_id',
      'name',
      'lname',
      'email',
      'phoneNo',
      'roleIds',
      'imageMeta',
      'department',
      'location',
      'source',
      'avatar',
      'tenantId',
      'svcMeetId',
      'extension',
    ]).properties,
    sub: Type.String({ description: 'User id, which never changes: identify people by it' }),
    email_verified: Type.Boolean({
      description:
        "Proven by a mailed link or by the organisation's provider; false for an address that was only typed",
    }),
    given_name: Type.String({ description: 'First name' }),
    family_name: Type.String({ description: 'Last name; may be empty' }),
    picture: Type.String({ description: 'Address of the picture; empty where there is none' }),
  }),
  problems: [],
})

const metadata = Type.Object({
  issuer: Type.String({ description: 'The issuer, which `iss` of a redirect repeats' }),
  authorization_endpoint: Type.String({ description: 'Where an app sends its users' }),
  token_endpoint: Type.String({ description: 'Where codes and refresh tokens are exchanged' }),
  revocation_endpoint: Type.String({ description: 'Where tokens are revoked (RFC 7009)' }),
  introspection_endpoint: Type.String({ description: 'Where an app checks its tokens (RFC 7662)' }),
  registration_endpoint: Type.Optional(
    Type.String({ description: 'Where clients register themselves (RFC 7591); absent where they cannot' }),
  ),
  userinfo_endpoint: Type.String({ description: 'The profile of the user who connected the app' }),
  response_types_supported: Type.Array(Type.String(), { description: 'Values of `response_type`' }),
  response_modes_supported: Type.Array(Type.String(), { description: 'Where the redirect has its parameters' }),
  grant_types_supported: Type.Array(Type.String(), { description: 'Values of `grant_type`' }),
  scopes_supported: Type.Array(Type.String(), { description: 'The scopes of apps' }),
  token_endpoint_auth_methods_supported: Type.Array(Type.String(), {
    description: 'How apps authenticate when they ask for tokens',
  }),
  revocation_endpoint_auth_methods_supported: Type.Array(Type.String(), {
    description: 'How apps authenticate when they revoke tokens',
  }),
  introspection_endpoint_auth_methods_supported: Type.Array(Type.String(), {
    description: 'How apps authenticate when they check tokens',
  }),
  code_challenge_methods_supported: Type.Array(Type.String(), { description: 'Methods of PKCE (RFC 7636)' }),
  authorization_response_iss_parameter_supported: Type.Boolean({ description: 'Redirects have `iss` (RFC 9207)' }),
  client_id_metadata_document_supported: Type.Optional(
    Type.Boolean({ description: 'A client id may be the URL of a document that describes the client' }),
  ),
  service_documentation: Type.String({ description: 'Address of the documentation' }),
})

export const readServerMetadata = endpoint({
  name: 'readServerMetadata',
  method: 'GET',
  path: '/.well-known/oauth-authorization-server',
  tag: 'OAuth',
  summary: 'Where and how to ask for tokens (RFC 8414)',
  access: 'anyone',
  cost: 'none',
  reply: metadata,
  problems: [],
})

export const readOpenidConfiguration = endpoint({
  name: 'readOpenidConfiguration',
  method: 'GET',
  path: '/.well-known/openid-configuration',
  tag: 'OAuth',
  summary: 'The same, where clients of OpenID Connect look; no `id_token` is issued',
  access: 'anyone',
  cost: 'none',
  reply: metadata,
  problems: [],
})

const resourceMetadata = Type.Object({
  resource: Type.String({ description: 'Identifier of the API or of the MCP server, for `resource` (RFC 8707)' }),
  authorization_servers: Type.Array(Type.String(), { description: 'Issuers of its tokens' }),
  scopes_supported: Type.Array(Type.String(), { description: 'The scopes of apps' }),
  bearer_methods_supported: Type.Array(Type.String(), { description: 'Where requests carry a token' }),
  resource_documentation: Type.String({ description: 'Address of its documentation' }),
})

export const readResourceMetadata = endpoint({
  name: 'readResourceMetadata',
  method: 'GET',
  path: '/.well-known/oauth-protected-resource',
  tag: 'OAuth',
  summary: 'What the API takes as tokens (RFC 9728)',
  access: 'anyone',
  cost: 'none',
  reply: resourceMetadata,
  problems: [],
})

export const readMcpResourceMetadata = endpoint({
  name: 'readMcpResourceMetadata',
  method: 'GET',
  path: '/.well-known/oauth-protected-resource/mcp',
  tag: 'OAuth',
  summary: 'What the MCP server takes as tokens (RFC 9728)',
  access: 'anyone',
  cost: 'none',
  reply: resourceMetadata,
  problems: [],
})

const grant = Type.Object({
  _id: Type.String({ description: 'Id of the grant, for `grantId`' }),
  app: Type.Object(
    {
      _id: Type.String({ description: 'Id of the app' }),
      name: Type.String({
        description:
          'Name of the app. Where `reviewed` is false: the host of its document, or all hosts to which it sends people; ' +
          'empty where it has none',
      }),
      reviewed: Type.Boolean({
        description: 'Whether a reviewer has seen what it says about itself; its name and pages are withheld before',
      }),
      homepageUrl: Type.String({ description: 'Address of its page; empty where it has none' }),
      clientHost: Type.Optional(
        Type.String({ description: 'Host of the client ID metadata document; absent for other apps' }),
      ),
      logoUrl: Type.String({ description: 'Address of its logo' }),
      sandbox: Type.Boolean({ description: 'Whether the grant is to its sandbox' }),
      suspended: Type.Boolean({
        description: 'No one can use the app now: it, or the account that it belongs to, is disabled',
      }),
    },
    { description: 'The app' },
  ),
  scopes: Type.Array(Type.String(), { description: 'What the app may do, with any of `resources`' }),
  resources: Type.Array(
    Type.Object({
      resource: Type.String({ description: 'Its identifier (RFC 8707): the API, or the MCP server' }),
      scopes: Type.Array(Type.String(), { description: 'What the app may do with it' }),
    }),
    { description: 'What the person has allowed the app to use; a further one needs a consent of its own' },
  ),
  createdOn: timestamp({ description: 'When the person connected the app' }),
  lastUsedOn: nullableText({ format: 'date-time', description: 'When the app last used it; null: never' }),
})

export const listGrants = endpoint({
  name: 'listGrants',
  method: 'GET',
  path: '/api/oauth2/grants',
  tag: 'OAuth',
  summary: 'List the apps that you have connected',
  access: 'session',
  cost: 'query',
  reply: Type.Object({ grants: Type.Array(grant, { description: 'The apps that you have connected' }) }),
  problems: [],
})

export const revokeGrant = endpoint({
  name: 'revokeGrant',
  method: 'DELETE',
  path: '/api/oauth2/grants/:grantId',
  tag: 'OAuth',
  summary: 'Disconnect an app at once: every token that it holds for you ends',
  access: 'session',
  cost: 'light',
  params: Type.Object({ grantId: Type.String({ description: '`_id` of the grant' }) }),
  reply: statusReply,
  problems: ['grant_not_found'],
})

export const listScopes = endpoint({
  name: 'listScopes',
  method: 'GET',
  path: '/api/oauth2/scopes',
  tag: 'OAuth',
  summary: 'List the scopes, with the sentences that people read when they consent',
  access: 'anyone',
  cost: 'none',
  reply: Type.Object({
    scopes: Type.Array(
      Type.Object({
        scope: Type.String({ description: 'The scope', examples: ['meeting:read'] }),
        description: Type.String({ description: 'What it permits, in English' }),
      }),
      { description: 'All scopes of apps' },
    ),
  }),
  problems: [],
})
