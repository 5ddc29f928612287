const resourceMetadataPath = '/.well-known/oauth-protected-resource'

/**
 * Build a WWW-Authenticate challenge (RFC 6750, 3), without `error` when the request carried no token. It links to the
 * protected resource metadata (RFC 9728, 5.1).
 */
export function bearerChallenge(baseUrl: string, error?: 'invalid_token' | 'insufficient_scope', scope?: string) {
  const parameters = [
    ...(error === undefined ? [] : [`error="${error}"`]),
    ...(scope === undefined ? [] : [`scope="${scope}"`]),
    `resource_metadata="${baseUrl}${resourceMetadataPath}"`,
  ]
  return `Bearer ${parameters.join(', ')}`
}
