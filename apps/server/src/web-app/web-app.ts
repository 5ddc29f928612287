import { createHash } from 'node:crypto'
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { preferredLanguage } from '../platform/http/content-negotiation.ts'
import { fontPreload } from '../platform/http/fonts.ts'
import { makeStaticFile, matchesEtag, sendStaticFile } from '../platform/http/static-file.ts'
import type { Random } from '../platform/random.ts'

/** File names change with the content, so they can be cached for ever. */
const assetsMaxAgeMs = 365 * 24 * 60 * 60 * 1000

type Dependencies = DocumentDependencies & {
  http: FastifyInstance
  site: WebBuild | undefined
  /** The origins of the pages that may embed meetings of an app, by its client id. */
  findFramingOrigins(clientId: string): Promise<readonly string[]>
}

/** Serve the document at each page's address, and the files that it loads. */
export function registerWebApp(dependencies: Dependencies): void {
  const { http, site } = dependencies
  if (site === undefined) return
  void http.register(fastifyStatic, {
    root: join(site.folder, 'assets'),
    prefix: '/assets/',
    preCompressed: true,
    immutable: true,
    maxAge: assetsMaxAgeMs,
    index: false,
    // Small files named by their content need no ranges.
    acceptRanges: false,
    decorateReply: false,
    setHeaders(reply, path) {
      if (wasmWorker.test(path)) reply.header('content-security-policy', wasmWorkerPolicy)
    },
  })
  serveServiceWorker(http, site)
  for (const client of site.clients) serveClient(http, client)
  serveEmbeddedMeetings(dependencies, site)
  const paths = site.addresses.map((address) => address.replaceAll('$', ':'))
  for (const path of paths) http.get(path, (request, reply) => sendDocument(request, reply, site, dependencies, 200))
}

/**
 * Serve the service worker, which browsers compare with the one they have on each navigation: a cached one would keep a
 * former release's. It acts under the policy of this response, and only passes requests on.
 */
function serveServiceWorker(http: FastifyInstance, { serviceWorker }: WebBuild) {
  const file = makeStaticFile(serviceWorker, 'text/javascript; charset=utf-8', 'no-cache')
  const policy = "default-src 'none'; connect-src 'self'"
  http.get('/service-worker.js', (request, reply) =>
    sendStaticFile(request, reply.header('content-security-policy', policy), file),
  )
}

/**
 * Serve a client for npm or pip (docs/client.md): its newest version, and the same by its number. Each is checked anew, as
 * an address that npm has kept would otherwise bring a former release's.
 */
function serveClient(http: FastifyInstance, { name, version, bytes }: WebBuild['clients'][number]) {
  const tag = createHash('sha256').update(bytes).digest('base64url').slice(0, 22)
  for (const path of [`/${name}.tgz`, `/${name}-${version}.tgz`]) {
    http.get(path, (request, reply) => {
      reply.headers({ 'cache-control': 'no-cache', etag: `"${tag}"` })
      if (matchesEtag(request.headers['if-none-match'], tag)) return reply.status(304).send()
      return reply.type('application/gzip').send(bytes)
    })
  }
}

/**
 * Serve the page of an embedded meeting (docs/embedding.md), the only one that other origins may have in a frame: those
 * of the app whose client id is in the address. Pages of these origins load the script that makes the frame.
 */
function serveEmbeddedMeetings({ http, findFramingOrigins, random, mediaUrl }: Dependencies, site: WebBuild) {
  const script = makeStaticFile(site.embedScript, 'text/javascript; charset=utf-8', 'no-cache')
  const forAll = { 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' }
  http.get('/embed.js', (request, reply) => sendStaticFile(request, reply.headers(forAll), script))
  http.get('/embed/:code', async (request, reply) => {
    const { clientId } = Object(request.query)
    const origins = typeof clientId === 'string' ? await findFramingOrigins(clientId) : []
    if (origins.length > 0) reply.removeHeader('x-frame-options')
    const document = site.embedDocument.replace(originsPlaceholder, origins.join(' '))
    // The origins change with the app.
    reply.header('cache-control', 'no-store')
    return sendPage(request, reply, { document, status: 200, frameAncestors: origins }, { random, mediaUrl })
  })
}

/** The placeholder in apps/web/embed.html. Origins have no character that ends an attribute or a directive (app-url.ts). */
const originsPlaceholder = 'PARLEY_EMBED_ORIGINS'

/**
 * A worker that compiles WebAssembly (apps/web/src/room/effects) acts under the policy of its own response, which allows
 * that; the pages' policy does not.
 */
const wasmWorker = /-wasm-worker-[\w-]+\.js(\.br|\.gz)?$/
const wasmWorkerPolicy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"

/** The placeholder that Vite writes into the document (apps/web/vite.config.ts). */
const noncePlaceholder = 'PARLEY_STYLE_NONCE'
const nonceBytes = 16

/** Rooms need the camera, the microphone and screen capture; all other features are denied. */
const permissionsPolicy = 'camera=(self), microphone=(self), display-capture=(self), geolocation=(), payment=(), usb=()'

/**
 * Everything comes from our own origin, except audio and video, which may have other servers. Components create style
 * elements at run time: these need the nonce of the response, and no other inline style or script runs.
 */
const contentSecurityPolicy = (nonce: string, mediaOrigins: readonly string[], frameAncestors: readonly string[]) =>
  [
    "default-src 'self'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    ["connect-src 'self'", ...mediaOrigins].join(' '),
    "worker-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${frameAncestors.length === 0 ? "'none'" : frameAncestors.join(' ')}`,
  ].join('; ')

type DocumentDependencies = {
  random: Random
  /** The WebSocket address of the media server. */
  mediaUrl: string
}

/** Answer unknown addresses: browsers get a page, programs a problem. */
export const createShowNotFound =
  (site: WebBuild, dependencies: DocumentDependencies) =>
  (request: FastifyRequest, reply: FastifyReply): boolean => {
    const looks = request.method === 'GET' || request.method === 'HEAD'
    if (!looks || request.url.startsWith('/api/') || !request.headers.accept?.includes('text/html')) return false
    sendDocument(request, reply, site, dependencies, 404)
    return true
  }

/** Send the document of all pages. */
function sendDocument(
  request: FastifyRequest,
  reply: FastifyReply,
  { document }: WebBuild,
  dependencies: DocumentDependencies,
  status: number,
) {
  reply.headers({ 'cache-control': 'no-cache', 'cross-origin-opener-policy': 'same-origin' })
  return sendPage(request, reply, { document, status, frameAncestors: [] }, dependencies)
}

type ServedPage = { document: string; status: number; frameAncestors: readonly string[] }

/** Send a document with a nonce of its own. */
function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  { document, status, frameAncestors }: ServedPage,
  { random, mediaUrl }: DocumentDependencies,
) {
  const nonce = random.bytes(nonceBytes).toString('base64')
  return reply
    .status(status)
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': contentSecurityPolicy(nonce, originsOf(mediaUrl), frameAncestors),
      link: fontPreload(preferredLanguage(request.headers['accept-language'] ?? '') ?? 'en'),
      'permissions-policy': permissionsPolicy,
    })
    .send(document.replaceAll(noncePlaceholder, nonce))
}

/** The client opens a WebSocket, and asks over HTTP why one was refused. */
function originsOf(url: string): string[] {
  const { origin } = new URL(url)
  return [origin, origin.replace('ws', 'http')]
}

/** The web app as built by `scripts/build-web.ts`. */
export type WebBuild = {
  /** Contains `assets`: files named by their content hash. */
  folder: string
  /** The HTML document of all pages. */
  document: string
  /** The HTML document of embedded meetings. */
  embedDocument: string
  /** The script that makes a frame in the pages of apps (packages/client/src/embed.ts). */
  embedScript: Uint8Array
  /** The page addresses in the router's syntax: `/j/$code`. */
  addresses: readonly string[]
  /** The script that shows the offline page and notifications (apps/web/src/app/service-worker). */
  serviceWorker: Uint8Array
  /** The clients as npm and pip install them (scripts/pack-client.ts, scripts/pack-python-client.ts). */
  clients: readonly { name: string; version: string; bytes: Uint8Array }[]
}

/** Read the built web app; undefined when it is not built, and the API serves without it. */
export async function readWebBuild(folder: string): Promise<WebBuild | undefined> {
  try {
    const document = await readFile(join(folder, 'index.html'), 'utf8')
    const embedDocument = await readFile(join(folder, 'embed.html'), 'utf8')
    const embedScript = await readFile(join(folder, 'embed.js'))
    const addresses = JSON.parse(await readFile(join(folder, 'addresses.json'), 'utf8'))
    const serviceWorker = await readFile(join(folder, 'service-worker.js'))
    const documents = { document, embedDocument, embedScript }
    return { folder, ...documents, addresses, serviceWorker, clients: await readClients(folder) }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

async function readClients(folder: string): Promise<WebBuild['clients']> {
  const clients: { name: string; version: string; bytes: Uint8Array }[] = []
  for await (const path of glob('packages/parley-*.tgz', { cwd: folder })) {
    const [, name, version] = /parley-(client(?:-py)?)-(\d.*)\.tgz$/.exec(path) ?? []
    if (name !== undefined && version !== undefined)
      clients.push({ name, version, bytes: await readFile(join(folder, path)) })
  }
  return clients
}
