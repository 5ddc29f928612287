import type { Config } from './config.ts'
import { isThisMachine } from './config-values.ts'

/** List warnings about risky settings, which may be intended, as sentences for the log at startup. */
export function warningsOf(
  config: Pick<Config, 'tenants' | 'emailVerification' | 'baseUrl' | 'livekit' | 'smtpUrl' | 'smtpTls'>,
): string[] {
  return [...tenantWarnings(config), ...mediaWarnings(config), ...smtpWarnings(config)]
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
    'TENANTS puts people into organisations by the domain of their email address, but EMAIL_VERIFICATION is off: ' +
      'whoever signs up can claim any address, and with it a place in any organisation. Set EMAIL_VERIFICATION=required.',
  ]
}

/** An attacker on the path can strip STARTTLS unless the client insists on it (RFC 3207, 6). */
function smtpWarnings({ smtpUrl, smtpTls }: Pick<Config, 'smtpUrl' | 'smtpTls'>): string[] {
  if (smtpUrl === undefined || smtpTls === 'required') return []
  const { protocol, hostname, searchParams } = new URL(smtpUrl)
  if (protocol !== 'smtp:' || searchParams.get('requireTLS') === 'true' || isThisMachine(hostname)) return []
  return [
    `SMTP_URL begins with smtp:, so mail to ${hostname} is encrypted only when that server offers it, and anyone on the ` +
      'way can remove the offer and read password links. Set SMTP_TLS=required, or an address that begins with smtps:.',
  ]
}
