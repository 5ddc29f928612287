import { readFileSync } from 'node:fs'
import { listTimeZones, problems, readProblem, readVersion } from '@parley/contract'
import { timeZoneAliases } from '@parley/rules/recurrence/time-zone'
import type { FastifyInstance } from 'fastify'
import type { Access } from '../access/access.ts'
import { serveFonts } from '../platform/http/fonts.ts'
import { problem } from '../platform/http/problem.ts'
import { makeStaticFile, sendStaticFile } from '../platform/http/static-file.ts'
import type { Platform } from '../platform/platform.ts'
import { serveReadDatabaseHealth, serveReadHealth, serveReadReadiness } from './health.ts'
import { serveOpenapi, serveReference } from './reference.ts'

type Dependencies = Pick<Platform, 'clock' | 'config' | 'databaseFailures' | 'http' | 'pool' | 'isDraining'> &
  Pick<Access, 'serve'>

/** Register what the service says of itself. */
export function registerServiceInfo(service: Dependencies, version: string, findFace: FindFace): void {
  const { http, config, isDraining } = service
  serveReadHealth(service)
  serveReadReadiness(service, isDraining)
  serveReadDatabaseHealth(service)
  serveReadVersion(service, version)
  serveListTimeZones(service)
  serveReadProblem(service)
  serveOpenapi(http, { baseUrl: config.baseUrl, version })
  serveReference(http)
  serveIcons(http, findFace)
  serveFonts(http)
  serveSecurityContact(service)
}

/** Longer than a year is discouraged (RFC 9116, 2.5.5); researchers fetch the file when they need it. */
const contactIsValidMs = 180 * 86_400_000

/** Serve the address for reports of vulnerabilities (RFC 9116), where the operator has set one. */
function serveSecurityContact({ http, config, clock }: Dependencies): void {
  const { securityContact, baseUrl } = config
  if (securityContact === undefined) return
  http.get('/.well-known/security.txt', (_request, reply) => {
    const lines = [
      `Contact: ${securityContact}`,
      `Expires: ${new Date(clock.now().getTime() + contactIsValidMs).toISOString()}`,
      `Canonical: ${baseUrl}/.well-known/security.txt`,
      'Preferred-Languages: en',
    ]
    return reply
      .type('text/plain; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(`${lines.join('\n')}\n`)
  })
}

function serveReadVersion({ serve }: Pick<Dependencies, 'serve'>, version: string) {
  serve(readVersion, { handle: async () => ({ version, node: process.version }) })
}

/**
 * List the codes that this service accepts: the operator's own (TZ_ALIASES) take precedence over the built-in ones.
 */
function serveListTimeZones({ serve, config }: Dependencies) {
  const own = [...config.timeZoneAliases].map(([code, timeZone]) => ({ code, timeZone, settledAgainst: '' }))
  const rest = timeZoneAliases.filter(({ code }) => !config.timeZoneAliases.has(code))
  const timeZones = [...own, ...rest].toSorted((one, other) => one.code.localeCompare(other.code, 'en'))
  serve(listTimeZones, { handle: async () => ({ timeZones }) })
}

/** Serve the address in the `type` of each problem (RFC 9457, 3.1.1). */
function serveReadProblem({ serve }: Pick<Dependencies, 'serve'>) {
  serve(readProblem, {
    handle: async ({ params }) => {
      const found = Object.entries(problems).find(([code]) => code === params.code)
      if (found === undefined) throw problem('not_found')
      const [code, { status, title }] = found
      return { code, status, title }
    },
  })
}

const cacheControl = 'public, max-age=86400'

/** The icons, which scripts/write-icons.ts draws from the first one; browsers request `/favicon.ico` by default. */
const icons = {
  '/icon.svg': 'image/svg+xml',
  '/favicon.ico': 'image/x-icon',
  '/icon-180.png': 'image/png',
  '/icon-192.png': 'image/png',
  '/icon-512.png': 'image/png',
}

/** How the pages look once they are installed on a phone or a desktop. */
const manifest = {
  name: 'Parley',
  short_name: 'Parley',
  id: '/',
  start_url: '/meetings',
  scope: '/',
  display: 'standalone',
  background_color: '#f4f5f3',
  theme_color: '#14655a',
  icons: [
    { src: '/icon.svg', sizes: 'any', type: 'image/svg+xml' },
    ...['192', '512'].flatMap((size) =>
      ['any', 'maskable'].map((purpose) => ({
        src: `/icon-${size}.png`,
        sizes: `${size}x${size}`,
        type: 'image/png',
        purpose,
      })),
    ),
  ],
}

type Face = { name: string | undefined; icon: { svg: string; version: string } | undefined }

/**
 * Find the name and the icon of the organisation that runs the service; undefined where it has set none. The same
 * object is returned until one of them changes.
 */
type FindFace = () => Promise<Face>

/** Serve the icons and the web app manifest. */
function serveIcons(http: FastifyInstance, findFace: FindFace): void {
  for (const [path, type] of Object.entries(icons)) {
    const file = makeStaticFile(readFileSync(new URL(`.${path}`, import.meta.url)), type, cacheControl)
    http.get(path, (request, reply) => sendStaticFile(request, reply, file))
  }
  const ownIcon = readFileSync(new URL('./icon.svg', import.meta.url))
  const makeFiles = ({ name = manifest.name, icon }: Face) => {
    const icons = icon && [{ src: `/favicon.svg?${icon.version}`, sizes: 'any', type: 'image/svg+xml' }]
    const description = JSON.stringify({ ...manifest, name, short_name: name, ...(icons && { icons }) })
    return {
      // Of a tab: that of the organisation, else Parley's.
      icon: makeStaticFile(icon === undefined ? ownIcon : Buffer.from(icon.svg), 'image/svg+xml', 'no-cache'),
      manifest: makeStaticFile(Buffer.from(description), 'application/manifest+json', 'no-cache'),
    }
  }
  // Compressing a logo takes milliseconds, and anyone can request it.
  const filesOfFaces = new WeakMap<Face, ReturnType<typeof makeFiles>>()
  const findFiles = async () => {
    const face = await findFace()
    const files = filesOfFaces.get(face) ?? makeFiles(face)
    filesOfFaces.set(face, files)
    return files
  }
  http.get('/favicon.svg', async (request, reply) => sendStaticFile(request, reply, (await findFiles()).icon))
  http.get('/manifest.webmanifest', async (request, reply) =>
    sendStaticFile(request, reply, (await findFiles()).manifest),
  )
}
