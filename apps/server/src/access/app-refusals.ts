import type { Resource } from '@parley/rules/oauth/resource'
import type { FastifyRequest } from 'fastify'
import type { TokenEnd } from './credentials/access-token-store.ts'

/** An API call of an app that was refused, for the app's event log. */
export type AppRefusal = {
  appId: string
  sandbox: boolean
  requestId: string
  /** The method and the path template of the endpoint, without anything that the app sent. */
  endpoint: string
} & (
  | { kind: 'ended_token'; end: TokenEnd }
  /** The token is for the other resource; `resource` is the resource that refused the token. */
  | { kind: 'wrong_resource'; resource: Resource }
  | { kind: 'insufficient_scope'; missing: readonly string[] }
)

export const endpointOf = ({ method, routeOptions }: FastifyRequest): string => `${method} ${routeOptions.url ?? ''}`

/** Describe a refusal for the app's developer. */
export function describeRefusal(refusal: AppRefusal): string {
  const { endpoint } = refusal
  switch (refusal.kind) {
    case 'insufficient_scope':
      return `${endpoint}: 403 insufficient_scope. The access token does not carry ${refusal.missing.join(' and ')}.`
    case 'wrong_resource': {
      const wanted =
        refusal.resource === 'api' ? 'the API; request one without resource' : 'the MCP server; name it as resource'
      return `${endpoint}: 401 invalid_token. The access token is not for ${wanted}.`
    }
    case 'ended_token':
      return `${endpoint}: 401 invalid_token. ${endings[refusal.end]}`
  }
}

const endings: Record<TokenEnd, string> = {
  expired: 'The access token has expired: refresh it.',
  app_suspended: 'The app is suspended.',
  app_deleted: 'The app was deleted.',
  owner_inactive: 'OAuth is not enabled for the owner of the app.',
  disconnected: 'The app was disconnected.',
  revoked: 'The tokens of this sign-in were revoked.',
  user_ended: 'The user was disabled, or has signed out everywhere.',
}

/** Queue a refusal for the log. Never throws, never waits. */
export type RecordAppRefusal = (refusal: AppRefusal) => void
