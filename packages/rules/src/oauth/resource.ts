/** What takes access tokens of apps: the REST API, and the MCP server at /mcp. */
export const resources = ['api', 'mcp'] as const

export type Resource = (typeof resources)[number]

type ParsedResource =
  | { kind: 'read'; resource: Resource | undefined }
  /** `cause` is for the app's developer. */
  | { kind: 'refused'; cause: string }

/** The identifier of a resource, as its metadata and introspection give it (RFC 9728, 1.2). */
export const resourceIdentifier = (resource: Resource, baseUrl: string): string =>
  resource === 'api' ? baseUrl : `${baseUrl}/mcp`

/**
 * Read the `resource` parameters of a request (RFC 8707, 2). Undefined when there is none; an empty value counts as not
 * sent (RFC 6749, 3.1). Identifiers are compared as text, with or without the slash that URL parsers add.
 */
export function readResource(sent: readonly string[], baseUrl: string): ParsedResource {
  const [identifier, ...others] = sent.filter((value) => value !== '')
  if (identifier === undefined) return { kind: 'read', resource: undefined }
  if (others.length > 0)
    return { kind: 'refused', cause: 'resource was sent more than once; tokens are for one resource' }
  const resource = resources.find((known) => {
    const canonical = resourceIdentifier(known, baseUrl)
    return identifier === canonical || identifier === `${canonical}/`
  })
  if (resource !== undefined) return { kind: 'read', resource }
  const known = resources.map((each) => resourceIdentifier(each, baseUrl)).join(' or ')
  return { kind: 'refused', cause: `resource must be ${known}` }
}

/** The resource of a request or a token. Without a named resource, it is the REST API. */
export const resourceOf = (named: Resource | null): Resource => named ?? 'api'

export const isFor = (tokenResource: Resource | null, resource: Resource): boolean =>
  resourceOf(tokenResource) === resource
