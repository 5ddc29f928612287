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

/** Somebody looks at an empty page meanwhile. */
const timeoutSeconds = 5

/** Providers change their keys and addresses; the library itself looks for new keys when a token names one. */
const memoryMs = 60 * 60 * 1000

/** The provider with what it says of itself; asked for when the first person signs in, and again after an hour. */
export function createProviderMemory(provider: ProviderConfig, clock: Clock): () => Promise<Configuration> {
  let known: { configuration: Promise<Configuration>; until: number } | undefined
  return async () => {
    const now = clock.now().getTime()
    if (known === undefined || known.until <= now) known = { configuration: discover(provider), until: now + memoryMs }
    const asked = known
    try {
      return await asked.configuration
    } catch (error) {
      // Whoever comes next asks again.
      if (known === asked) known = undefined
      throw error
    }
  }
}

/** OpenID Connect Discovery 1.0, 4. The issuer it states must be the one that was configured. */
function discover({ issuer, clientId, clientSecret }: ProviderConfig): Promise<Configuration> {
  const isHttp = issuer.startsWith('http:')
  return discovery(new URL(issuer), clientId, { client_secret: clientSecret }, authenticateClient(clientSecret), {
    timeout: timeoutSeconds,
    [customFetch]: tracedFetch,
    // The configuration takes http for this very machine only.
    execute: isHttp ? [allowInsecureRequests] : [],
  })
}

/** As the provider says it takes it; Basic where it says nothing (OpenID Connect Discovery 1.0, 3). */
function authenticateClient(clientSecret: string): ClientAuth {
  const [basic, post] = [ClientSecretBasic(clientSecret), ClientSecretPost(clientSecret)]
  return (server, client, body, headers) => {
    const taken = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    return (taken.includes('client_secret_basic') ? basic : post)(server, client, body, headers)
  }
}
