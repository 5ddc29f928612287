import type { Config } from './config.ts'

/** What an operator may have set on purpose, and should know the price of: sentences for the log at the start. */
export function warningsOf(config: Pick<Config, 'tenants' | 'emailVerification' | 'baseUrl' | 'livekit'>): string[] {
  return [...tenantWarnings(config), ...mediaWarnings(config)]
}

/** W3C Mixed Content, 5.2. */
function mediaWarnings({ baseUrl, livekit }: Pick<Config, 'baseUrl' | 'livekit'>): string[] {
  if (!baseUrl.startsWith('https:') || !livekit?.url.startsWith('ws:')) return []
  return [
    'LIVEKIT_URL begins with ws: or http:, but BASE_URL with https. Browsers refuse such connections, and nobody will be ' +
      'heard. Set an address that begins with wss:.',
  ]
}

function tenantWarnings({ tenants, emailVerification }: Pick<Config, 'tenants' | 'emailVerification'>): string[] {
  if (tenants.size === 0 || emailVerification === 'required') return []
  return [
    'TENANTS puts people into organisations by the domain of their e-mail address, but EMAIL_VERIFICATION is off: ' +
      'whoever signs up can claim any address, and with it a place in any organisation. Set EMAIL_VERIFICATION=required.',
  ]
}
