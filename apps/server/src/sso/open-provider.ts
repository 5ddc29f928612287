import {
  allowInsecureRequests,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  customFetch,
  discovery,
} from 'openid-client'
import type { Clock } from '../platform/clock.ts'
import type { ProviderConfig } from '../platform/config/config.ts'
import { tracedFetch } from '../platform/outbound/traced-fetch.ts'

/** The person looks at an empty page meanwhile. */
const timeoutSeconds = 5

/** Providers change their endpoints; the library refetches keys when a token names an unknown one. */
const cacheMs = 60 * 60 * 1000

/** Cache the provider's metadata: discovered at the first sign-in, and again after an hour. */
export function createProviderCache(provider: ProviderConfig, clock: Clock): () => Promise<Configuration> {
  let known: { configuration: Promise<Configuration>; until: number } | undefined
  return async () => {
    const now = clock.now().getTime()
    if (known === undefined || known.until <= now) known = { configuration: discover(provider), until: now + cacheMs }
    const current = known
    try {
      return await current.configuration
    } catch (error) {
      // Retry discovery with the next sign-in.
      if (known === current) known = undefined
      throw error
    }
  }
}

/**
 * Discover the provider (OpenID Connect Discovery 1.0, 4). The library checks that the metadata names the configured
 * issuer.
 */
function discover({ issuer, clientId, clientSecret }: ProviderConfig): Promise<Configuration> {
  const isHttp = issuer.startsWith('http:')
  return discovery(new URL(issuer), clientId, { client_secret: clientSecret }, authenticateClient(clientSecret), {
    timeout: timeoutSeconds,
    [customFetch]: tracedFetch,
    // The configuration accepts http only for loopback hosts.
    execute: isHttp ? [allowInsecureRequests] : [],
  })
}

/** Authenticate with a method that the provider supports; Basic is the default (OpenID Connect Discovery 1.0, 3). */
function authenticateClient(clientSecret: string): ClientAuth {
  const [basic, post] = [ClientSecretBasic(clientSecret), ClientSecretPost(clientSecret)]
  return (server, client, body, headers) => {
    const supported = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    return (supported.includes('client_secret_basic') ? basic : post)(server, client, body, headers)
  }
}
