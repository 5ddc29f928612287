import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import Provider from 'oidc-provider'
import { publicAddress } from '../start-app.ts'

export type ProviderPerson = {
  sub: string
  email?: string
  email_verified?: boolean
  given_name?: string
  family_name?: string
  name?: string
}

export type OpenIdProvider = {
  /** The settings of a service that trusts this provider. */
  environment: Record<string, string>
  /** Sets the person at the provider's page from now on; undefined for a person who cancels. */
  person: ProviderPerson | undefined
  /** Stop answering. */
  stop(): Promise<void>
  requests: string[]
}

const clientId = 'parley'
const clientSecret = randomBytes(24).toString('hex')

/** Run a certified OpenID provider in this process, whose people sign in without a form. It ends with the test file. */
export async function startOpenIdProvider(serviceAddress = publicAddress): Promise<OpenIdProvider> {
  const http = createServer()
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  const people = new Map<string, ProviderPerson>()
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [`${serviceAddress}/api/auth/provider-sign-in/callback`],
        response_types: ['code'],
        grant_types: ['authorization_code'],
      },
    ],
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    cookies: { keys: [randomBytes(32).toString('hex')] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'given_name', 'family_name'] },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, sub) => ({ accountId: sub, claims: async () => ({ ...people.get(sub), sub }) }),
    loadExistingGrant: async ({ oidc }) => {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client?.clientId ?? '',
        accountId: oidc.session?.accountId ?? '',
      })
      grant.addOIDCScope('openid profile email')
      await grant.save()
      return grant
    },
  })

  const running: OpenIdProvider = {
    environment: { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret, OIDC_NAME: 'Acme' },
    person: undefined,
    stop: () => new Promise((resolve) => http.close(() => resolve()).closeAllConnections()),
    requests: [],
  }
  const answer = provider.callback()
  http.on('request', async (request, response) => {
    running.requests.push(`${request.method} ${request.url?.split('?')[0]}`)
    if (!request.url?.startsWith('/interaction/')) return answer(request, response)
    const { person } = running
    if (person !== undefined) people.set(person.sub, person)
    const result = person ? { login: { accountId: person.sub } } : { error: 'access_denied' }
    return provider.interactionFinished(request, response, result)
  })
  after(() => running.stop())
  return running
}
