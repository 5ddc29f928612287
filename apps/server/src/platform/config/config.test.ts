import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { configOf, problemsOf } from '../../../test/read-config.ts'
import { type Config, readConfig, warningsOf } from './config.ts'
import { defaultRetention } from './config-retention.ts'
import type { Environment } from './environment.ts'

const key = '00112233445566778899aabbccddeeff00112233445566778899AABBCCDDEEFF'
let folder = ''

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley config '))
})

afterEach(() => rm(folder, { recursive: true }))

test('applies a default to everything when nothing is set', () => {
  assert.deepEqual(configOf({}), {
    port: 3000,
    host: '127.0.0.1',
    baseUrl: 'http://localhost:3000',
    trustProxy: [],
    dataDir: resolve('data'),
    mailIsSent: false,
    smtpTls: 'opportunistic',
    mailFrom: 'Parley <parley@localhost>',
    signUp: 'open',
    emailVerification: 'off',
    rateLimits: true,
    meetingsPerAccount: 20_000,
    httpsCallbacks: 'allow',
    webhookAllowedNetworks: [],
    linksAreLocal: true,
    localReceivers: true,
    appChecks: 'on',
    agents: { clients: 'reviewed', hosts: [], registration: 'off' },
    reminderMinutes: 15,
    timeZoneAliases: new Map(),
    tenants: new Map(),
    gatewayIp: '',
    privateIp: '',
    retention: defaultRetention,
    mediaUdpPort: 30_000,
    lastMediaUdpPort: 30_099,
    drainSeconds: 1,
    logLevel: 'info',
    logFormat: 'json',
    auditLog: 'database',
  })
})

test('reads every setting', () => {
  const config = configOf({
    PORT: '8443',
    HOST: '::',
    BASE_URL: 'https://Meet.Example.org/',
    TRUST_PROXY: '10.0.0.0/8, 2001:db8::1',
    DATA_DIR: '/var/lib/parley',
    DATABASE_URL: 'postgres://parley:hidden@db/parley',
    SMTP_URL: 'smtps://parley:hidden@mail.example.org',
    SMTP_TLS: 'required',
    MAIL_FROM: 'Parley Meetings <parley@example.org>',
    REPLY_ADDRESS: 'rsvp@meet.example.org',
    INBOUND_MAIL_PORT: '2525',
    INBOUND_MAIL_HOST: '10.0.0.2',
    SECRET_KEY: key,
    SIGN_UP: 'invite',
    EMAIL_VERIFICATION: 'off',
    RATE_LIMITS: 'off',
    MEETINGS_PER_ACCOUNT: '500',
    OAUTH_HTTPS_CALLBACKS: 'require',
    WEBHOOK_ALLOWED_NETWORKS: '10.0.0.0/8, fd00::/8',
    APP_CHECKS: 'off',
    AGENT_CLIENTS: 'open',
    AGENT_CLIENT_HOSTS: 'claude.ai,vscode.dev',
    AGENT_REGISTRATION: 'on',
    REMINDER_MINUTES: '0',
    RETAIN_HISTORY_DAYS: '365',
    RETAIN_APP_EVENTS_DAYS: '30',
    RETAIN_MAIL_RECORDS_DAYS: '7',
    RETAIN_SIGN_INS_DAYS: '1',
    RETAIN_AUDIT_LOG_DAYS: '3650',
    TZ_ALIASES: 'ist=asia/jerusalem',
    TENANTS: 'acme.com=Acme, ACME.org = Acme,other.example=Other & Sons',
    GATEWAY_IP: '192.0.2.1',
    PRIVATE_IP: '10.0.0.1',
    SECURITY_CONTACT: 'mailto:security@example.org',
    SUPPORT_CONTACT: 'https://example.org/help',
    LIVEKIT_URL: 'https://livekit.example.org/',
    LIVEKIT_API_KEY: 'parley',
    LIVEKIT_API_SECRET: 'hush',
    MEDIA_PUBLIC_ADDRESS: '192.0.2.9',
    MEDIA_UDP_PORT: '40000',
    TURN_URLS: 'turn:turn.example.org:3478, turns:[2001:db8::1]:443?transport=tcp',
    TURN_SECRET: 'hush too',
    DRAIN_SECONDS: '60',
    LOG_LEVEL: 'debug',
    LOG_FORMAT: 'ecs',
    AUDIT_LOG: 'stdout',
  })
  assert.deepEqual(config, {
    port: 8443,
    host: '::',
    baseUrl: 'https://meet.example.org',
    trustProxy: ['10.0.0.0/8', '2001:db8::1'],
    dataDir: '/var/lib/parley',
    databaseUrl: 'postgres://parley:hidden@db/parley',
    smtpUrl: 'smtps://parley:hidden@mail.example.org',
    mailIsSent: true,
    smtpTls: 'required',
    mailFrom: 'Parley Meetings <parley@example.org>',
    replyAddress: 'rsvp@meet.example.org',
    inboundMail: { host: '10.0.0.2', port: 2525 },
    secretKey: Buffer.from(key, 'hex'),
    signUp: 'invite',
    emailVerification: 'off',
    rateLimits: false,
    meetingsPerAccount: 500,
    httpsCallbacks: 'require',
    webhookAllowedNetworks: ['10.0.0.0/8', 'fd00::/8'],
    linksAreLocal: false,
    localReceivers: false,
    appChecks: 'off',
    agents: { clients: 'open', hosts: ['claude.ai', 'vscode.dev'], registration: 'on' },
    reminderMinutes: 0,
    timeZoneAliases: new Map([['IST', 'Asia/Jerusalem']]),
    tenants: new Map([
      ['acme.com', 'Acme'],
      ['acme.org', 'Acme'],
      ['other.example', 'Other & Sons'],
    ]),
    gatewayIp: '192.0.2.1',
    privateIp: '10.0.0.1',
    securityContact: 'mailto:security@example.org',
    supportContact: 'https://example.org/help',
    retention: { historyDays: 365, appEventDays: 30, mailRecordDays: 7, signInDays: 1, auditLogDays: 3_650 },
    livekit: { url: 'wss://livekit.example.org', apiKey: 'parley', apiSecret: 'hush' },
    mediaPublicAddress: '192.0.2.9',
    mediaUdpPort: 40_000,
    turn: {
      urls: ['turn:turn.example.org:3478', 'turns:[2001:db8::1]:443?transport=tcp'],
      secret: 'hush too',
    },
    drainSeconds: 60,
    logLevel: 'debug',
    logFormat: 'ecs',
    auditLog: 'stdout',
  })
})

test('treats an empty or blank value as absent', () => {
  const environment = { PORT: '', SECRET_KEY: ' ', SECRET_KEY_FILE: '', SIGN_UP: '', TRUST_PROXY: '\t', TENANTS: '' }
  assert.deepEqual(configOf(environment), configOf({}))
})

const taken: [string, string, Partial<Config>][] = [
  ['PORT', '0', { port: 0, baseUrl: 'http://localhost:0' }],
  ['PORT', '65535', { port: 65_535 }],
  ['REMINDER_MINUTES', '40320', { reminderMinutes: 40_320 }],
  ['HOST', 'localhost', { host: 'localhost' }],
  ['BASE_URL', 'http://192.0.2.1:8080', { baseUrl: 'http://192.0.2.1:8080' }],
  ['BASE_URL', 'https://[2001:db8::1]', { baseUrl: 'https://[2001:db8::1]' }],
  ['BASE_URL', 'https://example.org:443', { baseUrl: 'https://example.org' }],
  ['TRUST_PROXY', '192.0.2.1/32,::1/128,10.0.0.0/1', { trustProxy: ['192.0.2.1/32', '::1/128', '10.0.0.0/1'] }],
  ['REPLY_ADDRESS', `${'r'.repeat(31)}@m`, { replyAddress: `${'r'.repeat(31)}@m` }],
  ['MAIL_FROM', 'parley@example.org', { mailFrom: 'parley@example.org' }],
  ['MAIL_FROM', '"Acme, Inc." <parley@example.org>', { mailFrom: '"Acme, Inc." <parley@example.org>' }],
  ['EMAIL_VERIFICATION', 'required', { emailVerification: 'required' }],
  ['SECRET_KEY', key, { secretKey: Buffer.from(key, 'hex') }],
  ['SECURITY_CONTACT', 'https://Example.org/security', { securityContact: 'https://example.org/security' }],
  ['SECURITY_CONTACT', 'tel:+49-30-123456', { securityContact: 'tel:+49-30-123456' }],
  ['LOG_LEVEL', 'silent', { logLevel: 'silent' }],
  ['DRAIN_SECONDS', '0', { drainSeconds: 0 }],
  ['GATEWAY_IP', '2001:db8::1', { gatewayIp: '2001:db8::1' }],
  ['MEDIA_UDP_PORT', '0', { mediaUdpPort: 0 }],
  ['MEDIA_UDP_PORT', '1024', { mediaUdpPort: 1024 }],
  ['MEDIA_UDP_PORT', '65535', { mediaUdpPort: 65_535 }],
  ['MEDIA_PUBLIC_ADDRESS', '2001:db8::1', { mediaPublicAddress: '2001:db8::1' }],
  ['TENANTS', 'a.example=A,', { tenants: new Map([['a.example', 'A']]) }],
]

for (const [name, value, part] of taken) {
  test(`accepts ${name}=${value}`, () => {
    const config = configOf({ [name]: value })
    assert.deepEqual({ ...config, ...part }, config)
  })
}

const refused: [string, string][] = [
  ...['65536', '-1', '3000.5', '0x10', 'http', '3 000', '٣'].map((value): [string, string] => ['PORT', value]),
  ...['a b', 'exa_mple', '-a', 'http://localhost'].map((value): [string, string] => ['HOST', value]),
  ...[
    'meet.example.org',
    'ftp://example.org',
    'https://',
    '//example.org',
    'javascript:alert(1)',
    'https://example.org/meet',
    'https://example.org/?a=b',
    'https://example.org/?',
    'https://example.org/#a',
    'https://user@example.org',
    'https://user:hidden@example.org',
    'https://example.org:65536',
  ].map((value): [string, string] => ['BASE_URL', value]),
  ...[
    'true',
    '*',
    'loopback',
    'proxy.example.org',
    '10.0.0.0/33',
    '::1/129',
    '10.0.0.0/',
    '10.0.0.0/08',
    '1.2.3',
    '0.0.0.0/0',
    '::/0',
    '10.0.0.1,,10.0.0.2',
    '10.0.0.1 10.0.0.2',
    'fe80::1%eth0',
    '10.0.0.0/8/8',
  ].map((value): [string, string] => ['TRUST_PROXY', value]),
  ...['mysql://u:hidden@db/parley', 'db.example.org:5432', 'hidden'].map((value): [string, string] => [
    'DATABASE_URL',
    value,
  ]),
  ...['http://u:hidden@mail', 'mail.example.org:25', 'hidden'].map((value): [string, string] => ['SMTP_URL', value]),
  ...[
    'parley',
    'Parley',
    'Parley parley@example.org',
    'Acme, Inc. <parley@example.org>',
    '<parley@example.org',
    'a@example.org, b@example.org',
    'Parley <a@example.org> <b@example.org>',
    'A\r\nBcc: x <a@example.org>',
  ].map((value): [string, string] => ['MAIL_FROM', value]),
  ...[
    'rsvp',
    'rsvp+a@meet.example.org',
    'Parley <rsvp@meet.example.org>',
    'réponse@meet.example.org',
    `${'r'.repeat(32)}@m`,
  ].map((value): [string, string] => ['REPLY_ADDRESS', value]),
  ['INBOUND_MAIL_HOST', 'http://10.0.0.1'],
  ...[key.slice(1), `${key}0`, `g${key.slice(1)}`, 'hidden'].map((value): [string, string] => ['SECRET_KEY', value]),
  ...['security@example.org', 'mailto:security', 'http://example.org', 'https://a\nExpires: x'].map(
    (value): [string, string] => ['SECURITY_CONTACT', value],
  ),
  ['SUPPORT_CONTACT', 'javascript:alert(1)'],
  ['SIGN_UP', 'Open'],
  ['SMTP_TLS', 'yes'],
  ['SMTP_TLS', 'Required'],
  ['SIGN_UP', 'toString'],
  ['EMAIL_VERIFICATION', 'on'],
  ['RATE_LIMITS', 'true'],
  ...['0', '-1', '1.5', '10000001'].map((value): [string, string] => ['MEETINGS_PER_ACCOUNT', value]),
  ...['40321', '-1', '1.5', '1e3', 'PT15M'].map((value): [string, string] => ['REMINDER_MINUTES', value]),
  ['TZ_ALIASES', 'IST'],
  ['TZ_ALIASES', 'IST=Asia/Nowhere'],
  ...['acme.com', 'acme.com=', '=Acme', 'acme com=A', 'a.example=A,A.example=B', `a.example=${'x'.repeat(101)}`].map(
    (value): [string, string] => ['TENANTS', value],
  ),
  ['GATEWAY_IP', 'gateway.example.org'],
  ['PRIVATE_IP', '10.0.0.0/8'],
  ['MEDIA_PUBLIC_ADDRESS', 'media.example.org'],
  ...['1023', '65536', '-1', '30000-30399', 'any'].map((value): [string, string] => ['MEDIA_UDP_PORT', value]),
  ['LOG_LEVEL', 'verbose'],
  ['LOG_FORMAT', 'text'],
  ['AUDIT_LOG', 'on'],
  ['DRAIN_SECONDS', '61'],
  ...['localhost:4318', 'grpc://collector:4317', 'http://u:hidden@collector', 'http://collector?key=hidden'].map(
    (value): [string, string] => ['OTEL_EXPORTER_OTLP_ENDPOINT', value],
  ),
  ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
  ['OTEL_TRACES_SAMPLER', 'sometimes'],
  ...['1.01', '-0.1', 'half', ''.padEnd(3, '.')].map((value): [string, string] => ['OTEL_TRACES_SAMPLER_ARG', value]),
  ['DRAIN_SECONDS', '1.5'],
  ['DATABASE_URL', 'postgres://u:hidden@a:1,b:x/parley'],
]

for (const [name, value] of refused) {
  test(`refuses ${name}=${value} in one sentence that names it and shows no secret`, () => {
    const problems = problemsOf({ SECRET_KEY: key, MAIL_FROM: 'parley@example.org', [name]: value })
    assert.equal(problems.length, 1)
    assert.match(problems[0] ?? '', new RegExp(`^${name} .+\\.$`))
    assert.doesNotMatch(problems[0] ?? '', /hidden|[0-9a-f]{20}/i)
  })
}

test('accepts a tenant name of 100 characters', () => {
  assert.equal(configOf({ TENANTS: `a.example=${'x'.repeat(100)}` }).tenants.get('a.example')?.length, 100)
})

test('shows a long value in part', () => {
  assert.ok((problemsOf({ SIGN_UP: 'x'.repeat(10_000) })[0] ?? '').length < 200)
})

test('reports all invalid variables at once', () => {
  const wrong = {
    PORT: 'x',
    BASE_URL: 'x',
    SIGN_UP: 'x',
    LOG_LEVEL: 'x',
    TENANTS: 'x',
    DATABASE_URL: 'x',
    SMTP_URL: 'x',
  }
  const names = problemsOf(wrong).map((problem) => problem.split(' ', 1)[0])
  assert.deepEqual(names.toSorted(), [...Object.keys(wrong), 'SECRET_KEY'].sort())
})

test('requires the key for an external database, and the sender for SMTP', () => {
  assert.match(problemsOf({ DATABASE_URL: 'postgres://db/parley' }).join(), /^SECRET_KEY must be given/)
  assert.match(problemsOf({ SMTP_URL: 'smtp://mail' }).join(), /^MAIL_FROM must be given/)
  const config = configOf({ SMTP_URL: 'smtp://mail', MAIL_FROM: 'parley@example.org' })
  assert.equal(config.emailVerification, 'required')
})

test('reads secrets from files, without the line end', async () => {
  const files = { SECRET_KEY: key, DATABASE_URL: 'postgresql://db/parley', SMTP_URL: 'smtp://mail' }
  const environment: Environment = { MAIL_FROM: 'parley@example.org' }
  for (const [name, content] of Object.entries(files)) {
    await writeFile(join(folder, name), `${content}\n`)
    environment[`${name}_FILE`] = join(folder, name)
  }
  const config = configOf(environment)
  assert.deepEqual(config.secretKey, Buffer.from(key, 'hex'))
  assert.equal(config.databaseUrl, 'postgresql://db/parley')
  assert.equal(config.smtpUrl, 'smtp://mail')
})

test('refuses a secret given twice, a missing file, a folder and an empty file', async () => {
  const empty = join(folder, 'empty')
  await writeFile(empty, '\n')
  const cases: [Environment, RegExp][] = [
    [{ SECRET_KEY: key, SECRET_KEY_FILE: empty }, /^SECRET_KEY and SECRET_KEY_FILE are both given/],
    [{ SECRET_KEY_FILE: join(folder, 'none') }, /^SECRET_KEY_FILE names a file that cannot be read.*ENOENT/],
    [{ SMTP_URL_FILE: folder }, /^SMTP_URL_FILE names a file that cannot be read.*EISDIR/],
    [{ DATABASE_URL_FILE: empty, SECRET_KEY: key }, /^DATABASE_URL_FILE names an empty file/],
    [{ DATABASE_URL: 'postgres://db/x', SECRET_KEY_FILE: empty }, /^SECRET_KEY_FILE names an empty file/],
  ]
  for (const [environment, expected] of cases) {
    const problems = problemsOf(environment)
    assert.equal(problems.length, 1)
    assert.match(problems[0] ?? '', expected)
  }
})

const provider = { OIDC_ISSUER: 'https://login.example.org', OIDC_CLIENT_ID: 'parley', OIDC_CLIENT_SECRET: 'hush' }

test('reads a complete OpenID provider, and names it by its host where it has no name', () => {
  const read = (changes: Record<string, string>) => readConfig({ ...provider, ...changes })
  const named = read({ OIDC_NAME: 'Acme' })
  assert.ok(named.kind === 'read')
  const { issuer, clientId, clientSecret, name } = named.config.provider ?? {}
  assert.deepEqual([issuer, clientId, clientSecret, name], ['https://login.example.org', 'parley', 'hush', 'Acme'])
  const unnamed = read({})
  assert.equal(unnamed.kind === 'read' && unnamed.config.provider?.name, 'login.example.org')
  for (const here of ['http://localhost:4000', 'http://127.0.0.1:4000/realm', 'http://[::1]']) {
    assert.equal(read({ OIDC_ISSUER: here }).kind, 'read', here)
  }
})

test('refuses an incomplete or untrusted provider at the start, without showing its secret', () => {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET } = provider
  assert.deepEqual(problemsOf({ OIDC_ISSUER }), [
    'OIDC_CLIENT_ID must be given when OIDC_ISSUER is.',
    'OIDC_CLIENT_SECRET must be given when OIDC_ISSUER is.',
  ])
  assert.deepEqual(problemsOf({ OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_NAME: 'Acme' }), [
    'OIDC_CLIENT_ID is given without OIDC_ISSUER.',
    'OIDC_CLIENT_SECRET is given without OIDC_ISSUER.',
    'OIDC_NAME is given without OIDC_ISSUER.',
  ])
  for (const issuer of [
    'http://login.example.org',
    'http://localhost.example.org',
    'https://login.example.org/?a=b',
    'https://login.example.org/#a',
    'https://user@login.example.org',
    'login.example.org',
  ]) {
    const [first = '', ...more] = problemsOf({ ...provider, OIDC_ISSUER: issuer })
    assert.deepEqual([first.startsWith('OIDC_ISSUER is '), more], [true, []], issuer)
    assert.ok(!first.includes('hush'))
  }
  assert.equal(problemsOf({ ...provider, OIDC_NAME: 'x'.repeat(41) }).length, 1)
})

test('a port for mail needs the address that the mail is for', () => {
  const [problem = '', ...more] = problemsOf({ INBOUND_MAIL_PORT: '2525' })
  assert.match(problem, /^INBOUND_MAIL_PORT is given without REPLY_ADDRESS/)
  assert.deepEqual(more, [])
  assert.deepEqual(problemsOf({ REPLY_ADDRESS: 'rsvp@meet.example.org' }), [], 'mail can come through a pipe')
})

test('a port that the operator has chosen is the only one', () => {
  const lastOf = (environment: Environment) => configOf(environment).lastMediaUdpPort
  assert.equal(lastOf({}), 30_099)
  for (const chosen of [{ MEDIA_UDP_PORT: '30000' }, { MEDIA_UDP_PORT: '0' }]) {
    assert.equal(lastOf(chosen), undefined)
  }
})

test('by default clients need a review, and none registers itself', () => {
  assert.deepEqual(configOf({}).agents, { clients: 'reviewed', hosts: [], registration: 'off' })
})

test('reads the hosts of clients that need no review', () => {
  const { clients, hosts } = configOf({
    AGENT_CLIENTS: 'listed',
    AGENT_CLIENT_HOSTS: 'claude.ai, vscode.dev,assistant.example.com:8443',
  }).agents
  assert.equal(clients, 'listed')
  assert.deepEqual(hosts, ['claude.ai', 'vscode.dev', 'assistant.example.com:8443'])
})

for (const hosts of [
  'Claude.ai',
  'https://claude.ai',
  'claude.ai/oauth',
  '*.claude.ai',
  'claude.ai:443',
  'claude.ai:25',
  'user@claude.ai',
  'claude.ai,',
  'localhost',
  '10.0.0.1',
  'claude.ai#',
  'claude.ai?',
]) {
  test(`refuses the hosts ${hosts}`, () => {
    const [problem] = problemsOf({ AGENT_CLIENT_HOSTS: hosts })
    assert.match(problem ?? '', /^AGENT_CLIENT_HOSTS is .*; it must be host names/)
  })
}

test('refuses settings that no client could use', () => {
  assert.deepEqual(problemsOf({ AGENT_CLIENTS: 'listed' }), [
    'AGENT_CLIENT_HOSTS must be given when AGENT_CLIENTS is listed: the hosts of the clients to accept.',
  ])
  const host = { AGENT_CLIENT_HOSTS: 'claude.ai' }
  assert.match(problemsOf({ AGENT_REGISTRATION: 'on', AGENT_CLIENTS: 'off' })[0] ?? '', /accepts no client/)
  assert.match(problemsOf({ AGENT_REGISTRATION: 'on', AGENT_CLIENTS: 'listed', ...host })[0] ?? '', /accepts no client/)
  for (const clients of ['reviewed', 'open']) {
    assert.equal(configOf({ AGENT_REGISTRATION: 'on', AGENT_CLIENTS: clients }).agents.registration, 'on')
  }
})

function warningsWith(environment: Record<string, string>): string[] {
  return warningsOf(configOf(environment))
}

test('warns of organisations by domain where addresses are not confirmed', () => {
  const tenants = { TENANTS: 'acme.example=Acme' }
  const [warning = '', ...others] = warningsWith(tenants)
  assert.match(warning, /^TENANTS .* EMAIL_VERIFICATION is off: .* Set EMAIL_VERIFICATION=required\.$/)
  assert.deepEqual(others, [])
  assert.deepEqual(warningsWith({ ...tenants, EMAIL_VERIFICATION: 'required' }), [])
  assert.deepEqual(warningsWith({ EMAIL_VERIFICATION: 'off' }), [])
})

test('warns of email that leaves this machine without required encryption, without its password', () => {
  const mail = (smtpUrl: string, more: Record<string, string> = {}) =>
    warningsWith({ SMTP_URL: smtpUrl, MAIL_FROM: 'parley@example.org', ...more })
  const [warning = '', ...others] = mail('smtp://parley:hush@mail.example.org:587')
  assert.match(warning, /^SMTP_URL .* mail to mail\.example\.org .* Set SMTP_TLS=required/)
  assert.doesNotMatch(warning, /hush/)
  assert.deepEqual(others, [])
  for (const host of ['localhosts', '10.0.0.5', '128.0.0.1', '[::2]', '127.0.0.1.example.org']) {
    assert.equal(mail(`smtp://${host}`).length, 1, host)
  }
  for (const host of ['localhost', 'LOCALHOST:25', '127.0.0.1', '127.8.9.1:2525', '[::1]:25']) {
    assert.deepEqual(mail(`smtp://${host}`), [], host)
  }
  assert.deepEqual(mail('smtps://mail.example.org'), [])
  assert.deepEqual(mail('smtp://mail.example.org', { SMTP_TLS: 'required' }), [])
  assert.deepEqual(mail('smtp://mail.example.org?requireTLS=true'), [])
  assert.equal(mail('smtp://mail.example.org?requireTLS=false').length, 1)
})

test('warns of a LiveKit address to which browsers cannot connect from our pages', () => {
  const livekit = { LIVEKIT_API_KEY: 'parley', LIVEKIT_API_SECRET: 'hush' }
  const [base, plain] = ['https://meet.example.org', 'ws://livekit.example.org']
  const [warning = '', ...others] = warningsWith({ ...livekit, BASE_URL: base, LIVEKIT_URL: plain })
  assert.match(warning, /^LIVEKIT_URL .* wss:\.$/)
  assert.deepEqual(others, [])
  assert.deepEqual(warningsWith({ ...livekit, BASE_URL: base, LIVEKIT_URL: 'wss://livekit.example.org' }), [])
  assert.deepEqual(warningsWith({ ...livekit, LIVEKIT_URL: plain }), [])
})
