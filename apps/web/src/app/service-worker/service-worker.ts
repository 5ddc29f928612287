import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DEFAULT_THEME, defaultCssVariablesResolver, mergeMantineTheme } from '@mantine/core'
import { languages } from '@parley/texts/languages'
import { languageStorageKey } from '../../texts/language-choice.ts'
import { cssVariablesResolver, theme } from '../theme.ts'

/**
 * The service worker: it shows pushed notifications, and answers a navigation to a page with the offline page when the
 * server cannot be reached. It has that page in itself and caches nothing, so that nothing of a former release or of a
 * person who has signed out can ever be shown. vite.config.ts builds it, the server sends it, and
 * session/service-worker-registration.ts registers it.
 */

/** Where Mantine stores whether the person has chosen light or dark. */
const schemeStorageKey = 'mantine-color-scheme-value'

/** A page in a language: without a network, and with a network but without an answer. */
type OfflineTexts = Record<'offlineTitle' | 'offline' | 'failedTitle' | 'failed' | 'tryAgain', string>
type TextsByLanguage = Record<string, OfflineTexts & { direction: string }>

type OfflineAnswer = { body: string; headers: Record<string, string> }

/** What the server pushes (`PushMessage` in event-log/push/send-push.ts). */
type PushMessage = {
  title: string
  body: string
  language: string
  direction: 'ltr' | 'rtl'
  path: string
  tag: string
  startsAt?: string
}

type WorkerEvent = Event & {
  request: Request
  data: { json(): PushMessage } | null
  notification: { data: { path: string }; close(): void }
  respondWith(response: Promise<Response>): void
  waitUntil(until: unknown): void
}

type WorkerWindow = { url: string; focus(): Promise<unknown> }

/** What the worker's global scope has; TypeScript's library of workers contradicts the one of pages. */
type WorkerScope = {
  addEventListener(
    type: 'install' | 'activate' | 'fetch' | 'push' | 'notificationclick',
    listener: (event: WorkerEvent) => void,
  ): void
  skipWaiting(): Promise<void>
  registration: { showNotification(title: string, options: object): Promise<void> }
  clients: {
    matchAll(options: { type: 'window'; includeUncontrolled: true }): Promise<WorkerWindow[]>
    openWindow(path: string): Promise<unknown>
  }
  caches: { keys(): Promise<string[]>; delete(name: string): Promise<boolean> }
}

/** Runs in the worker, and uses nothing outside of itself. */
function runWorker(scope: WorkerScope, pagePatterns: readonly string[], offline: OfflineAnswer) {
  const pages = pagePatterns.map((pattern) => new RegExp(pattern))
  // The worker of a former release has no state that it could lose, and open pages need none.
  scope.addEventListener('install', (event) => event.waitUntil(scope.skipWaiting()))
  const deleteCaches = async () => Promise.all((await scope.caches.keys()).map((name) => scope.caches.delete(name)))
  scope.addEventListener('activate', (event) => event.waitUntil(deleteCaches()))

  scope.addEventListener('fetch', (event) => {
    const { request } = event
    // Everything else, such as the API, OAuth's pages and the documentation, is the browser's own affair.
    if (request.mode !== 'navigate' || request.destination !== 'document' || request.method !== 'GET') return
    const { pathname } = new URL(request.url)
    if (!pages.some((page) => page.test(pathname))) return
    event.respondWith(fetch(request).catch(() => new Response(offline.body, { status: 503, headers: offline.headers })))
  })

  scope.addEventListener('push', (event) => {
    if (event.data === null) return
    const { title, body, language, direction, path, tag, startsAt } = event.data.json()
    const time =
      startsAt && new Intl.DateTimeFormat(language, { hour: 'numeric', minute: 'numeric' }).format(new Date(startsAt))
    const shown = { lang: language, dir: direction, tag, icon: '/icon-192.png', data: { path } }
    event.waitUntil(scope.registration.showNotification(title, { ...shown, body: time ? `${body} · ${time}` : body }))
  })

  async function open(path: string) {
    const windows = await scope.clients.matchAll({ type: 'window', includeUncontrolled: true })
    const found = windows.find(({ url }) => new URL(url).pathname === path)
    await (found === undefined ? scope.clients.openWindow(path) : found.focus())
  }
  scope.addEventListener('notificationclick', (event) => {
    event.notification.close()
    event.waitUntil(open(event.notification.data.path))
  })
}

/** Runs in the offline page, and uses nothing outside of itself. */
function fillOfflinePage(textsByLanguage: TextsByLanguage, languageKey: string, schemeKey: string) {
  document.documentElement.dataset.scheme = localStorage.getItem(schemeKey) ?? 'auto'
  const tags = [localStorage.getItem(languageKey) ?? '', ...navigator.languages]
  const wanted = tags.map((tag) => tag.toLowerCase().split('-')[0] ?? '')
  const language = wanted.find((code) => Object.hasOwn(textsByLanguage, code)) ?? 'en'
  const texts = textsByLanguage[language]
  const [heading, explanation, button] = ['h1', 'p', 'button'].map((name) => document.querySelector(name))
  if (!texts || !heading || !explanation || !button) return
  const title = navigator.onLine ? texts.failedTitle : texts.offlineTitle
  document.documentElement.lang = language
  document.documentElement.dir = texts.direction
  document.title = `${title} – Parley`
  heading.textContent = title
  explanation.textContent = navigator.onLine ? texts.failed : texts.offline
  button.textContent = texts.tryAgain
  const reload = () => window.location.reload()
  button.addEventListener('click', reload)
  // Browsers say that they are online before the server can be reached, and do not know of servers that come back.
  async function watch() {
    for (let pauseMs = 2_000; ; pauseMs = Math.min(2 * pauseMs, 30_000)) {
      await new Promise((resolve) => {
        setTimeout(resolve, pauseMs)
        window.addEventListener('online', resolve, { once: true })
      })
      const isBack = await fetch('/healthz', { cache: 'no-store' }).then(
        ({ ok }) => ok,
        () => false,
      )
      if (isBack) return reload()
    }
  }
  void watch()
}

/** Render the script of the worker. `addresses` are the pages, in the router's syntax; `mark` is an SVG. */
export function renderServiceWorker(
  addresses: readonly string[],
  textsIn: (language: string) => OfflineTexts,
  mark: string,
): string {
  const pagePatterns = addresses.map((address) => `^${address.replaceAll(/\$\w+/g, '[^/]+')}/?$`)
  const values = [pagePatterns, renderOfflineAnswer(textsIn, mark)].map((value) => JSON.stringify(value))
  return `(${runWorker})(self, ${values.join(', ')})\n`
}

function renderOfflineAnswer(textsIn: (language: string) => OfflineTexts, mark: string): OfflineAnswer {
  const texts = Object.fromEntries(languages.map(({ code, direction }) => [code, { ...textsIn(code), direction }]))
  const style = renderStyle()
  // No text can end the script element.
  const values = [texts, languageStorageKey, schemeStorageKey].map((value) =>
    JSON.stringify(value).replaceAll('<', '\\u003c'),
  )
  const script = `(${fillOfflinePage})(${values.join(', ')})`
  const hashOf = (source: string) => `'sha256-${createHash('sha256').update(source).digest('base64')}'`
  return {
    body: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Parley</title>
<style>${style}</style>
</head>
<body>
<header class="brand">${mark}Parley</header>
<main><h1></h1><p></p><button type="button"></button></main>
<script>${script}</script>
</body>
</html>
`,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': [
        "default-src 'none'",
        `style-src ${hashOf(style)}`,
        `script-src ${hashOf(script)}`,
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
      ].join('; '),
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    },
  }
}

/** The style sheet behind the tokens that it names, in light and in dark. */
function renderStyle(): string {
  const sheet = readFileSync(join(import.meta.dirname, 'offline-page.css'), 'utf8')
  const whole = mergeMantineTheme(DEFAULT_THEME, theme)
  const [mantines, own] = [defaultCssVariablesResolver(whole), cssVariablesResolver(whole)]
  const common = { ...mantines.variables, ...own.variables }
  const light = { ...common, ...mantines.light, ...own.light }
  const dark = { ...common, ...mantines.dark, ...own.dark }
  const [ofLight, ofDark] = [declareTokens(light, sheet), declareTokens(dark, sheet)]
  const chosen = `:root[data-scheme=dark]{color-scheme:dark;${ofDark}}:root[data-scheme=light]{color-scheme:light}`
  const ofSystem = `@media (prefers-color-scheme:dark){:root:not([data-scheme=light]){${ofDark}}}`
  return `:root{${ofLight}}${ofSystem}${sheet}${chosen}`
}

/** Declare the tokens that a style sheet names, and those that these name. */
function declareTokens(tokens: Record<string, string>, sheet: string): string {
  const named = new Set<string>()
  const follow = (source: string) => {
    for (const [, name = ''] of source.matchAll(/var\((--[\w-]+)/g)) {
      if (named.has(name)) continue
      named.add(name)
      const value = tokens[name]
      if (value === undefined) throw new Error(`The theme has no token ${name}.`)
      follow(value)
    }
  }
  follow(sheet)
  return [...named].map((name) => `${name}:${tokens[name]}`).join(';')
}
