import { Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { profile } from './profile.ts'
import { timestamp, token, word } from './value.ts'

/** In the form, for clients that send their credentials there (RFC 6749, 2.3.1). */
const credentials = {
  client_id: Type.Optional(token()),
  client_secret: Type.Optional(token()),
}

export const exchangeToken = endpoint({
  name: 'exchangeToken',
  method: 'POST',
  path: '/api/oauth2/v2/token',
  tag: 'OAuth',
  summary: 'Exchange a code, or a refresh token, for tokens',
  access: 'client',
  form: true,
  body: Type.Object({
    grant_type: word({ description: '`authorization_code` or `refresh_token`' }),
    code: Type.Optional(token()),
    redirect_uri: Type.Optional(
      Type.String({ maxLength: 2_048, description: 'As in the authorization request, if sent at all' }),
    ),
    code_verifier: Type.Optional(token('RFC 7636, 4.5')),
    refresh_token: Type.Optional(token()),
    scope: Type.Optional(
      Type.String({ maxLength: 1_000, description: 'With a refresh token: fewer scopes than before' }),
    ),
    ...credentials,
  }),
  reply: Type.Object({
    access_token: Type.String(),
    token_type: Type.String({ examples: ['Bearer'] }),
    expires_in: Type.Integer({ description: 'Seconds', examples: [86_400] }),
    refresh_token: Type.String(),
    scope: Type.String({ examples: ['meeting:create meeting:read'] }),
  }),
  problems: [],
})

const tokenInForm = Type.Object({
  token: token(),
  token_type_hint: Type.Optional(word()),
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
  form: true,
  body: tokenInForm,
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
  form: true,
  body: tokenInForm,
  reply: Type.Object({
    active: Type.Boolean(),
    scope: Type.Optional(Type.String()),
    client_id: Type.Optional(Type.String()),
    token_type: Type.Optional(Type.String()),
    exp: Type.Optional(Type.Integer()),
    iat: Type.Optional(Type.Integer()),
    sub: Type.Optional(Type.String()),
    iss: Type.Optional(Type.String()),
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
    sub: Type.String(),
    email_verified: Type.Boolean({
      description:
        "Proven by a mailed link or by the organisation's provider; false for an address that was only typed",
    }),
    given_name: Type.String(),
    family_name: Type.String(),
    picture: Type.String(),
  }),
  problems: [],
})

const metadata = Type.Object({
  issuer: Type.String(),
  authorization_endpoint: Type.String(),
  token_endpoint: Type.String(),
  revocation_endpoint: Type.String(),
  introspection_endpoint: Type.String(),
  userinfo_endpoint: Type.String(),
  response_types_supported: Type.Array(Type.String()),
  response_modes_supported: Type.Array(Type.String()),
  grant_types_supported: Type.Array(Type.String()),
  scopes_supported: Type.Array(Type.String()),
  token_endpoint_auth_methods_supported: Type.Array(Type.String()),
  revocation_endpoint_auth_methods_supported: Type.Array(Type.String()),
  introspection_endpoint_auth_methods_supported: Type.Array(Type.String()),
  code_challenge_methods_supported: Type.Array(Type.String()),
  authorization_response_iss_parameter_supported: Type.Boolean(),
  service_documentation: Type.String(),
})

export const readServerMetadata = endpoint({
  name: 'readServerMetadata',
  method: 'GET',
  path: '/.well-known/oauth-authorization-server',
  tag: 'OAuth',
  summary: 'Where and how to ask for tokens (RFC 8414)',
  access: 'anyone',
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
  reply: metadata,
  problems: [],
})

export const readResourceMetadata = endpoint({
  name: 'readResourceMetadata',
  method: 'GET',
  path: '/.well-known/oauth-protected-resource',
  tag: 'OAuth',
  summary: 'What the API takes as tokens (RFC 9728)',
  access: 'anyone',
  reply: Type.Object({
    resource: Type.String(),
    authorization_servers: Type.Array(Type.String()),
    scopes_supported: Type.Array(Type.String()),
    bearer_methods_supported: Type.Array(Type.String()),
    resource_documentation: Type.String(),
  }),
  problems: [],
})

const grant = Type.Object({
  _id: Type.String(),
  app: Type.Object({
    _id: Type.String(),
    name: Type.String(),
    homepageUrl: Type.String(),
    logoUrl: Type.String(),
    sandbox: Type.Boolean(),
    suspended: Type.Boolean({
      description: 'No one can use the app now: it, or the account that it belongs to, is disabled',
    }),
  }),
  scopes: Type.Array(Type.String()),
  createdOn: timestamp(),
  lastUsedOn: Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time' }),
})

export const listGrants = endpoint({
  name: 'listGrants',
  method: 'GET',
  path: '/api/oauth2/grants',
  tag: 'OAuth',
  summary: 'List the apps that you have connected',
  access: 'session',
  reply: Type.Object({ grants: Type.Array(grant) }),
  problems: [],
})

export const revokeGrant = endpoint({
  name: 'revokeGrant',
  method: 'DELETE',
  path: '/api/oauth2/grants/:grantId',
  tag: 'OAuth',
  summary: 'Disconnect an app at once: every token that it holds for you ends',
  access: 'session',
  params: Type.Object({ grantId: Type.String() }),
  reply: Type.Object({ status: Type.String() }),
  problems: ['grant_not_found'],
})

export const listScopes = endpoint({
  name: 'listScopes',
  method: 'GET',
  path: '/api/oauth2/scopes',
  tag: 'OAuth',
  summary: 'List the scopes, with the sentences that people read when they consent',
  access: 'anyone',
  reply: Type.Object({ scopes: Type.Array(Type.Object({ scope: Type.String(), description: Type.String() })) }),
  problems: [],
})
