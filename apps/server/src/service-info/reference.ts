import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { openapiDocument } from '@parley/contract/openapi'
import type { FastifyInstance } from 'fastify'
import { makeStaticFile, type StaticFile, sendStaticFile } from '../platform/http/static-file.ts'

/** Scalar's colours are too pale for small text, and its buttons too small (WCAG 2.2, 1.4.3 and 2.5.8). */
const customCss = `
.light-mode {
  --scalar-color-2: #5c5c5c; --scalar-color-3: #616161; --scalar-color-accent: #0061b0; --scalar-color-green: #006b3c;
  --scalar-color-blue: #00639f; --scalar-color-orange: #a64200; --scalar-color-red: #c00000; --scalar-color-yellow: #7a5600;
}
.dark-mode {
  --scalar-color-3: #9a9a9a; --scalar-color-red: #ff6b6b;
}
.response-description-markdown p { color: inherit; }
[data-sidebar-id] button { min-inline-size: 24px; min-block-size: 24px; }
`

/**
 * Configure Scalar without third-party requests: no fonts, telemetry, proxy, cloud client or assistant
 * (https://scalar.com/products/api-references/configuration).
 */
const configuration = {
  url: '/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  authentication: { preferredSecurityScheme: 'token' },
  documentDownloadType: 'direct',
  customCss,
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
}

/** The page may run our own scripts and call our own API. Scalar adds styles at run time. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const page = (bundlePath: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Parley API reference</title>
<link rel="icon" href="data:,">
<script src="/reference/start.js" defer></script>
<script src="${bundlePath}" defer></script>
</head>
<body>
<div id="reference"></div>
<noscript>This page needs JavaScript. The same is said in <a href="/openapi.json">openapi.json</a>.</noscript>
</body>
</html>
`

/** Runs before Scalar: otherwise its validation library would try to generate code, which the policy forbids. */
const startScript = `globalThis.__zod_globalConfig = { jitless: true }
addEventListener('DOMContentLoaded', () => Scalar.createApiReference('#reference', ${JSON.stringify(configuration)}))
`

/** Serve the page `/reference` and its two scripts. */
export function serveReference(http: FastifyInstance): void {
  const bundlePath = `/reference/scalar-${scalarVersion()}.js`
  const html = makeStaticFile(Buffer.from(page(bundlePath)), 'text/html; charset=utf-8', 'no-cache')
  const start = makeStaticFile(Buffer.from(startScript), 'text/javascript; charset=utf-8', 'no-cache')
  let bundle: Promise<StaticFile> | undefined

  http.get('/reference', (request, reply) => {
    reply.header('content-security-policy', contentSecurityPolicy)
    return sendStaticFile(request, reply, html)
  })
  http.get('/reference/start.js', (request, reply) => sendStaticFile(request, reply, start))
  http.get(bundlePath, async (request, reply) => {
    bundle ??= readReferenceBundle().catch((error) => {
      bundle = undefined
      throw error
    })
    return sendStaticFile(request, reply, await bundle)
  })
}

function scalarVersion(): string {
  const manifest = new URL('../package.json', import.meta.resolve('@scalar/fastify-api-reference'))
  return JSON.parse(readFileSync(manifest, 'utf8')).version
}

/**
 * Extract Scalar's browser script (4 MB) from its package. Importing the package blocks a thread for half a second and
 * leaves 70 MB behind, so a short-lived thread does it at the first request.
 */
async function readReferenceBundle(): Promise<StaticFile> {
  const thread = new Worker(new URL('./reference-bundle-thread.ts', import.meta.url))
  const [file] = await once(thread, 'message')
  return file
}

/** Short, so that new versions appear soon; revalidation by ETag is cheap. */
const cacheControl = 'public, max-age=60'

/** Serve `/openapi.json`, which is made for its first reader, and constant while the process runs. */
export function serveOpenapi(http: FastifyInstance, { baseUrl, version }: { baseUrl: string; version: string }): void {
  let file: StaticFile | undefined
  const makeFile = () => {
    const text = JSON.stringify(openapiDocument({ baseUrl, version }))
    return makeStaticFile(Buffer.from(text), 'application/json; charset=utf-8', cacheControl)
  }
  http.get('/openapi.json', (request, reply) => {
    file ??= makeFile()
    return sendStaticFile(request, reply, file)
  })
}
