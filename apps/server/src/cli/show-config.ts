import type { Config } from '../platform/config/config.ts'
import { retentionNames } from '../platform/config/config-retention.ts'
import type { Dependencies } from './operator.ts'

/** Print the configuration, without secrets. */
export async function showConfig({ config, say }: Dependencies): Promise<void> {
  for (const line of configLines(config)) say(line)
}

/** List the configuration as the service reads it; for secrets only whether they are set. */
export function configLines(config: Config): string[] {
  const { provider, timeZoneAliases, tenants, livekit, mediaUdpPort, turn, tracing } = config
  const pairs = (map: ReadonlyMap<string, string>) => [...map].map((pair) => pair.join('=')).join(',')
  const shown: [string, string | number | boolean][] = [
    ['PORT', config.port],
    ['HOST', config.host],
    ['BASE_URL', config.baseUrl],
    ['TRUST_PROXY', config.trustProxy.join(',')],
    ['DATA_DIR', config.dataDir],
    ['DATABASE_URL', secret(config.databaseUrl, 'the private database in DATA_DIR')],
    ['SMTP_URL', secret(config.smtpUrl, 'mails are files in DATA_DIR')],
    ['SMTP_TLS', config.smtpTls],
    ['MAIL_FROM', config.mailFrom],
    ['REPLY_ADDRESS', config.replyAddress ?? ''],
    ['MAIL_AUTHSERV_ID', config.mailAuthservId ?? ''],
    ['INBOUND_MAIL_PORT', config.inboundMail?.port ?? ''],
    ['INBOUND_MAIL_HOST', config.inboundMail?.host ?? ''],
    ['SECRET_KEY', secret(config.secretKey, 'kept in DATA_DIR')],
    ['SIGN_UP', config.signUp],
    ['EMAIL_VERIFICATION', config.emailVerification],
    ['OIDC_ISSUER', provider?.issuer ?? ''],
    ['OIDC_CLIENT_ID', provider?.clientId ?? ''],
    ['OIDC_CLIENT_SECRET', secret(provider?.clientSecret, '')],
    ['OIDC_NAME', provider?.name ?? ''],
    ['RATE_LIMITS', config.rateLimits ? 'on' : 'off'],
    ['MEETINGS_PER_ACCOUNT', config.meetingsPerAccount],
    ['OAUTH_HTTPS_CALLBACKS', config.httpsCallbacks],
    ['WEBHOOK_ALLOWED_NETWORKS', config.webhookAllowedNetworks.join(',')],
    ['APP_CHECKS', config.appChecks],
    ['AGENT_CLIENTS', config.agents.clients],
    ['AGENT_CLIENT_HOSTS', config.agents.hosts.join(',')],
    ['AGENT_REGISTRATION', config.agents.registration],
    ['REMINDER_MINUTES', config.reminderMinutes],
    ...retentionNames.map(([key, name]): [string, number] => [name, config.retention[key]]),
    ['TZ_ALIASES', pairs(timeZoneAliases)],
    ['TENANTS', pairs(tenants)],
    ['GATEWAY_IP', config.gatewayIp],
    ['PRIVATE_IP', config.privateIp],
    ['SECURITY_CONTACT', config.securityContact ?? ''],
    ['SUPPORT_CONTACT', config.supportContact ?? ''],
    ['LIVEKIT_URL', livekit?.url ?? ''],
    ['LIVEKIT_API_KEY', livekit?.apiKey ?? ''],
    ['LIVEKIT_API_SECRET', secret(livekit?.apiSecret, '')],
    ['MEDIA_PUBLIC_ADDRESS', config.mediaPublicAddress ?? ''],
    ['MEDIA_UDP_PORT', mediaUdpPort],
    ['TURN_URLS', turn?.urls.join(',') ?? ''],
    ['TURN_SECRET', secret(turn?.secret, '')],
    ['DRAIN_SECONDS', config.drainSeconds],
    ['METRICS_PORT', config.metrics?.port ?? ''],
    ['METRICS_HOST', config.metrics?.host ?? ''],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', tracing?.endpoint ?? ''],
    ['OTEL_EXPORTER_OTLP_HEADERS', tracing?.hasHeaders ? '(set, not shown)' : ''],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', tracing ? 'http/protobuf' : ''],
    ['OTEL_SERVICE_NAME', tracing?.serviceName ?? ''],
    ['OTEL_TRACES_SAMPLER', tracing?.sampler ?? ''],
    ['OTEL_TRACES_SAMPLER_ARG', tracing?.samplerRatio ?? ''],
    ['LOG_LEVEL', config.logLevel],
    ['LOG_FORMAT', config.logFormat],
    ['AUDIT_LOG', config.auditLog],
  ]
  return shown.map(([name, value]) => `${name}=${value}`)
}

const secret = (value: unknown, otherwise: string) =>
  value === undefined ? otherwise && `(${otherwise})` : '(set, not shown)'
