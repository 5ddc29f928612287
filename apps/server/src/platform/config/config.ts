import { resolve } from 'node:path'
import { maxReminderMinutes } from '@parley/rules/meetings/reminders'
import { type AgentClientPolicy, agentClientPolicies } from '@parley/rules/oauth-apps/agent-clients'
import { readClientIdUrl } from '@parley/rules/oauth-apps/client-id-url'
import { readTimeZoneAliases } from '@parley/rules/recurrence/time-zone'
import { readDatabaseUrl } from '../database/database-address.ts'
import type { LogFormat } from '../log.ts'
import { type MediaConfig, readMediaConfig } from './config-media.ts'
import { type RetentionConfig, readRetention } from './config-retention.ts'
import { readTracing, type TracingConfig } from './config-tracing.ts'
import {
  isThisMachine,
  maxDrainSeconds,
  maxReplyLocalPartLength,
  parseContact,
  parseDrainSeconds,
  parseHost,
  parseIp,
  parseIssuer,
  parseKey,
  parseLabel,
  parseMailFrom,
  parseMeetingsPerAccount,
  parseOrigin,
  parsePort,
  parseRanges,
  parseReminderMinutes,
  parseReplyAddress,
  parseTenants,
} from './config-values.ts'
import { type Environment, EnvironmentReader } from './environment.ts'

/** Twenty a day for four years: more than a person hosts, and 150 MB of rows where each has ten participants. */
const defaultMeetingsPerAccount = 20_000

/** The configuration (docs/operations.md, "Configure"). */
export type Config = MediaConfig & {
  /** 0 lets the system choose, for tests. */
  port: number
  host: string
  /** The service's URL in every link, without a trailing slash. */
  baseUrl: string
  /** Addresses and CIDR ranges of proxies whose forwarding headers are trusted. */
  trustProxy: readonly string[]
  /** An absolute path. */
  dataDir: string
  /** As accepted by `readDatabaseUrl`. Absent: the private PostgreSQL in the data folder. */
  databaseUrl?: string
  /** Absent: mails are written as files into the data folder. */
  smtpUrl?: string
  /** `required`: mail waits rather than being sent over an unencrypted connection. */
  smtpTls: 'opportunistic' | 'required'
  /** Without a mail server, emails are kept as files and reach no address; pages must say so. */
  mailIsSent: boolean
  mailFrom: string
  /**
   * The address that receives answers from calendar programs, at this local part with a token (RFC 5233); absent: hosts
   * receive the answers.
   */
  replyAddress?: string
  /** The mail server whose Authentication-Results decide whose answers count (RFC 8601, 2.5). */
  mailAuthservId?: string
  /** Where the mail server hands over the mail to `replyAddress`, by LMTP. */
  inboundMail?: { host: string; port: number }
  /** 32 bytes. Absent: generated once and stored in the data folder (secret-key.ts). */
  secretKey?: Buffer
  signUp: 'open' | 'invite' | 'closed'
  emailVerification: 'required' | 'off'
  rateLimits: boolean
  /**
   * The meetings that one account may host, past meetings included; the number of participants and texts follows from
   * this limit.
   */
  meetingsPerAccount: number
  /** The organisation's own OpenID provider; absent: people sign in with passwords and passkeys only. */
  provider?: ProviderConfig
  /** Which `http:` callbacks an app may have: none, those to localhost, or all. */
  httpsCallbacks: 'require' | 'allow-localhost' | 'allow'
  /** Addresses and CIDR ranges that webhooks may post to, besides public addresses. */
  webhookAllowedNetworks: readonly string[]
  /** On a developer's own machine, where BASE_URL is, receivers of webhooks are there too. */
  localReceivers: boolean
  /** BASE_URL, with which every link begins, is an address that each machine has for itself. */
  linksAreLocal: boolean
  /** Whether an app's pages are fetched when it is submitted. */
  appChecks: 'on' | 'off'
  agents: AgentConfig
  /** The default reminder before each occurrence; 0 is none. */
  reminderMinutes: number
  /** The operator's own short zone codes, in capitals, with their IANA ids. */
  timeZoneAliases: ReadonlyMap<string, string>
  /** Names of tenants by email domain. */
  tenants: ReadonlyMap<string, string>
  gatewayIp: string
  privateIp: string
  /** Where vulnerabilities of this service are reported: an address of the form that `security.txt` has. */
  securityContact?: string
  /** Where the people who use this service ask for help, of the same form. */
  supportContact?: string
  retention: RetentionConfig
  logLevel: string
  /** `ecs`: the field names of the Elastic Common Schema. */
  logFormat: LogFormat
  /** `stdout`: each entry of the audit log is also written to standard output. */
  auditLog: 'database' | 'stdout'
  /** The address for Prometheus; absent: no metrics. */
  metrics?: { host: string; port: number }
  /** Where spans are sent; absent: no tracing. */
  tracing?: TracingConfig
  /** How long a stopping service reports itself as not ready to load balancers before it refuses new connections. */
  drainSeconds: number
}

export type ProviderConfig = {
  /** The issuer, as in the provider's tokens. */
  issuer: string
  clientId: string
  clientSecret: string
  /** The name on the button: `Sign in with …`. */
  name: string
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/** The settings of the PostgreSQL sessions of an instance or a command, which statements read. */
export const sessionSettingsOf = ({ auditLog }: Pick<Config, 'auditLog'>): Readonly<Record<string, string>> =>
  auditLog === 'stdout' ? { 'parley.audit_log': auditLog } : {}

/** Read the whole configuration. Reports every invalid variable, in sentences that never show a secret. */
export function readConfig(
  environment: Environment,
): { kind: 'read'; config: Config } | { kind: 'refused'; problems: string[] } {
  const read = new EnvironmentReader(environment)
  const port = read.parsed('PORT', 3000, 'a number from 0 to 65535', parsePort)
  const databaseUrl = readDatabaseAddress(read)
  const smtpUrl = readAddress(read, 'SMTP_URL', ['smtp:', 'smtps:'])
  const secretKey = readSecretKey(read)
  const provider = readProvider(read)
  const replyAddress = readReplyAddress(read)
  const mailAuthservId = read.parsed(
    'MAIL_AUTHSERV_ID',
    undefined,
    'the name by which the mail server signs Authentication-Results, such as mx.example.org',
    parseHost,
  )
  const securityContact = read.parsed(
    'SECURITY_CONTACT',
    undefined,
    'an address such as mailto:security@example.org or https://example.org/security',
    parseContact,
  )
  const supportContact = read.parsed(
    'SUPPORT_CONTACT',
    undefined,
    'an address such as mailto:help@example.org or https://example.org/help',
    parseContact,
  )
  const inboundMailPort = read.parsed('INBOUND_MAIL_PORT', undefined, 'a number from 0 to 65535', parsePort)
  const inboundMailHost = read.parsed('INBOUND_MAIL_HOST', '127.0.0.1', 'an IP address or a host name', parseHost)
  const metricsPort = read.parsed('METRICS_PORT', undefined, 'a number from 0 to 65535', parsePort)
  const tracing = readTracing(read)
  const metricsHost = read.parsed('METRICS_HOST', '127.0.0.1', 'an IP address or a host name', parseHost)
  const baseUrl = read.parsed(
    'BASE_URL',
    `http://localhost:${port}`,
    'an address such as https://meet.example.org, without a path, a query or a user',
    parseOrigin,
  )
  const config: Config = {
    port,
    host: read.parsed('HOST', '127.0.0.1', 'an IP address or a host name', parseHost),
    baseUrl,
    linksAreLocal: isThisMachine(new URL(baseUrl).hostname),
    localReceivers: ['localhost', '127.0.0.1', '[::1]'].includes(new URL(baseUrl).hostname),
    trustProxy: read.parsed(
      'TRUST_PROXY',
      [],
      'IP addresses or ranges such as 10.0.0.0/8, separated by commas',
      parseRanges,
    ),
    dataDir: resolve(read.text('DATA_DIR') ?? './data'),
    ...(databaseUrl !== undefined && { databaseUrl }),
    ...(smtpUrl !== undefined && { smtpUrl }),
    mailIsSent: smtpUrl !== undefined,
    smtpTls: read.oneOf('SMTP_TLS', ['opportunistic', 'required'], 'opportunistic'),
    mailFrom: read.parsed(
      'MAIL_FROM',
      'Parley <parley@localhost>',
      'an address such as parley@example.org or Parley <parley@example.org>',
      parseMailFrom,
    ),
    ...(replyAddress !== undefined && { replyAddress }),
    ...(mailAuthservId !== undefined && { mailAuthservId }),
    ...(inboundMailPort !== undefined && { inboundMail: { host: inboundMailHost, port: inboundMailPort } }),
    ...(secretKey !== undefined && { secretKey }),
    ...(securityContact !== undefined && { securityContact }),
    ...(supportContact !== undefined && { supportContact }),
    signUp: read.oneOf('SIGN_UP', ['open', 'invite', 'closed'], 'open'),
    emailVerification: read.oneOf(
      'EMAIL_VERIFICATION',
      ['required', 'off'],
      smtpUrl === undefined ? 'off' : 'required',
    ),
    meetingsPerAccount: read.parsed(
      'MEETINGS_PER_ACCOUNT',
      defaultMeetingsPerAccount,
      'a number from 1 to 10000000',
      parseMeetingsPerAccount,
    ),
    rateLimits: read.oneOf('RATE_LIMITS', ['on', 'off'], 'on') === 'on',
    ...(provider !== undefined && { provider }),
    httpsCallbacks: read.oneOf('OAUTH_HTTPS_CALLBACKS', ['require', 'allow-localhost', 'allow'], 'allow'),
    webhookAllowedNetworks: read.parsed(
      'WEBHOOK_ALLOWED_NETWORKS',
      [],
      'IP addresses or ranges such as 10.0.0.0/8, separated by commas',
      parseRanges,
    ),
    appChecks: read.oneOf('APP_CHECKS', ['on', 'off'], 'on'),
    agents: readAgentConfig(read),
    reminderMinutes: read.parsed(
      'REMINDER_MINUTES',
      15,
      `a number from 0 to ${maxReminderMinutes}`,
      parseReminderMinutes,
    ),
    timeZoneAliases: readAliases(read),
    tenants: read.parsed(
      'TENANTS',
      new Map<string, string>(),
      'email domains with names, such as acme.com=Acme,acme.org=Acme, each domain once',
      parseTenants,
    ),
    gatewayIp: read.parsed('GATEWAY_IP', '', 'an IP address', parseIp),
    privateIp: read.parsed('PRIVATE_IP', '', 'an IP address', parseIp),
    retention: readRetention(read),
    ...readMediaConfig(read),
    drainSeconds: read.parsed(
      'DRAIN_SECONDS',
      1,
      `a number of seconds from 0 to ${maxDrainSeconds}`,
      parseDrainSeconds,
    ),
    ...(metricsPort !== undefined && { metrics: { host: metricsHost, port: metricsPort } }),
    ...(tracing !== undefined && { tracing }),
    logLevel: read.oneOf('LOG_LEVEL', logLevels, 'info'),
    logFormat: read.oneOf('LOG_FORMAT', ['json', 'ecs'], 'json'),
    auditLog: read.oneOf('AUDIT_LOG', ['database', 'stdout'], 'database'),
  }
  if (smtpUrl !== undefined && read.text('MAIL_FROM') === undefined) {
    read.refuse('MAIL_FROM must be given when SMTP_URL is: the address that mails come from.')
  }
  if (inboundMailPort !== undefined && read.text('REPLY_ADDRESS') === undefined) {
    read.refuse(
      'INBOUND_MAIL_PORT is given without REPLY_ADDRESS: the address to which calendar programs send answers.',
    )
  }
  return read.problems.length === 0 ? { kind: 'read', config } : { kind: 'refused', problems: read.problems }
}

function readAddress(read: EnvironmentReader, name: string, protocols: readonly string[]): string | undefined {
  const text = read.secret(name)
  if (text === undefined) return undefined
  // The value is not shown, because it contains the password.
  if (URL.canParse(text) && protocols.includes(new URL(text).protocol)) return text
  return read.refuse(`${name} is not an address that begins with ${protocols.map((one) => `${one}//`).join(' or ')}.`)
}

const readReplyAddress = (read: EnvironmentReader) =>
  read.parsed(
    'REPLY_ADDRESS',
    undefined,
    `an address such as rsvp@meet.example.org, with at most ${maxReplyLocalPartLength} characters before the @ and no +`,
    parseReplyAddress,
  )

function readDatabaseAddress(read: EnvironmentReader): string | undefined {
  const text = read.secret('DATABASE_URL')
  if (text === undefined) return undefined
  const address = readDatabaseUrl(text)
  return address.kind === 'read' ? text : read.refuse(`DATABASE_URL ${address.problem}`)
}

function readSecretKey(read: EnvironmentReader): Buffer | undefined {
  const text = read.secret('SECRET_KEY')
  if (text !== undefined) return parseKey(text) ?? read.refuse('SECRET_KEY must be 64 hexadecimal digits.')
  if (read.text('DATABASE_URL') === undefined && read.text('DATABASE_URL_FILE') === undefined) return undefined
  if (read.text('SECRET_KEY_FILE') !== undefined) return undefined
  return read.refuse(
    'SECRET_KEY must be given when DATABASE_URL is, the same for all instances: 64 hexadecimal digits, ' +
      'such as `openssl rand -hex 32` prints.',
  )
}

/** All variables or none: an incomplete provider would show a button that does not work. */
function readProvider(read: EnvironmentReader): ProviderConfig | undefined {
  const issuer = read.parsed(
    'OIDC_ISSUER',
    undefined,
    'the issuer of an OpenID provider, such as https://login.example.org; http is taken for localhost alone',
    parseIssuer,
  )
  const clientId = read.text('OIDC_CLIENT_ID')
  const clientSecret = read.secret('OIDC_CLIENT_SECRET')
  const name = read.parsed('OIDC_NAME', undefined, 'at most 40 characters without control characters', parseLabel)
  const isIssuerSent = read.text('OIDC_ISSUER') !== undefined
  if (!isIssuerSent) {
    const orphans = Object.entries({ OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret, OIDC_NAME: name })
    for (const [orphan, value] of orphans) {
      if (value !== undefined) read.refuse(`${orphan} is given without OIDC_ISSUER.`)
    }
    return undefined
  }
  if (clientId === undefined) read.refuse('OIDC_CLIENT_ID must be given when OIDC_ISSUER is.')
  if (clientSecret === undefined && read.text('OIDC_CLIENT_SECRET_FILE') === undefined) {
    read.refuse('OIDC_CLIENT_SECRET must be given when OIDC_ISSUER is.')
  }
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return undefined
  return { issuer, clientId, clientSecret, name: name ?? new URL(issuer).hostname }
}

function readAliases(read: EnvironmentReader): ReadonlyMap<string, string> {
  const reading = readTimeZoneAliases(read.text('TZ_ALIASES') ?? '')
  if (reading.kind === 'read') return reading.aliases
  read.refuse(`TZ_ALIASES is wrong: ${reading.message}. It must look like IST=Asia/Jerusalem,BST=Asia/Dhaka.`)
  return new Map()
}

/** Clients that no developer has registered in the portal, such as assistants (docs/oauth-reference.md, "Clients by document"). */
type AgentConfig = {
  clients: AgentClientPolicy
  /** Hosts of client ID metadata documents that need no review, as in URLs. */
  hosts: readonly string[]
  /** Whether clients may register themselves (RFC 7591). */
  registration: 'on' | 'off'
}

function readAgentConfig(read: EnvironmentReader): AgentConfig {
  const clients = read.oneOf('AGENT_CLIENTS', agentClientPolicies, 'reviewed')
  const hosts = read.parsed(
    'AGENT_CLIENT_HOSTS',
    [],
    'host names, such as claude.ai,vscode.dev, in small letters',
    parseHosts,
  )
  const registration = read.oneOf('AGENT_REGISTRATION', ['on', 'off'], 'off')
  if (clients === 'listed' && read.text('AGENT_CLIENT_HOSTS') === undefined) {
    read.refuse('AGENT_CLIENT_HOSTS must be given when AGENT_CLIENTS is listed: the hosts of the clients to accept.')
  }
  if (registration === 'on' && (clients === 'off' || clients === 'listed')) {
    read.refuse(`AGENT_REGISTRATION is on, but AGENT_CLIENTS=${clients} accepts no client that registers itself.`)
  }
  return { clients, hosts, registration }
}

function parseHosts(text: string): string[] | undefined {
  const hosts = text.split(',').map((part) => part.trim())
  return hosts.every(isHost) ? hosts : undefined
}

/** Whether a host is written as in the URLs of documents. */
function isHost(text: string): boolean {
  const url = readClientIdUrl(`https://${text}/client.json`)
  return url.kind === 'allowed' && url.host === text
}

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
    'LIVEKIT_URL begins with ws: or http:, but BASE_URL with https. Browsers refuse such connections: participants have no ' +
      'audio and video. Set an address that begins with wss:.',
  ]
}

function tenantWarnings({ tenants, emailVerification }: Pick<Config, 'tenants' | 'emailVerification'>): string[] {
  if (tenants.size === 0 || emailVerification === 'required') return []
  return [
    'TENANTS puts people into organisations by the domain of their email address, but EMAIL_VERIFICATION is off: ' +
      'a new account can claim any address, and with it a place in any organisation. Set EMAIL_VERIFICATION=required.',
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
