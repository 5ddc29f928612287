export const resourceMetadataPath = '/.well-known/oauth-protected-resource'

/**
 * The WWW-Authenticate of a refusal (RFC 6750, 3): without `error` when there was no token. It leads to where a client
 * learns how to get one (RFC 9728, 5.1).
 */
export function bearerChallenge(baseUrl: string, error?: 'invalid_token' | 'insufficient_scope', scope?: string) {
  const parameters = [
    ...(error === undefined ? [] : [`error="${error}"`]),
    ...(scope === undefined ? [] : [`scope="${scope}"`]),
    `resource_metadata="${baseUrl}${resourceMetadataPath}"`,
  ]
  return `Bearer ${parameters.join(', ')}`
}
