import '@mantine/core/styles.css'
import './global.css'
import './parts.css'
import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { connection } from '../session/client.ts'
import { createQueryClient } from '../session/query-client.ts'
import { sessionQuery } from '../session/session.ts'
import { loadTexts, startI18n } from '../texts/i18n.ts'
import { EmbedFrame } from './EmbedFrame.tsx'
import { PageProviders, publishStyleNonce } from './Providers.tsx'

/**
 * The page of an embedded meeting. It is no page of the router, whose pages belong to the person who is signed in: a
 * frame of another site must not lead to them. It sends no cookie, even where the browser would.
 */
publishStyleNonce()
replaceBlockedStorage()
connection.fetch = (input, init) => fetch(input, { ...init, credentials: 'omit' })
const queryClient = createQueryClient()
queryClient.setQueryDefaults(sessionQuery.queryKey, { staleTime: Number.POSITIVE_INFINITY })
queryClient.setQueryData(sessionQuery.queryKey, null)
const root = document.querySelector('#root')
if (root === null) throw new Error('embed.html has no #root')
await startI18n()
await loadTexts('embed', 'join', 'room')
// The parts of the room ask the router whether the person may go away. Its history has this page alone.
const routeTree = createRootRoute()
const page = createRoute({ getParentRoute: () => routeTree, path: '/', component: EmbedFrame })
const router = createRouter({ routeTree: routeTree.addChildren([page]), history: createMemoryHistory() })
const shown = createElement(RouterProvider, { router: router as never })
createRoot(root).render(createElement(PageProviders, { queryClient }, shown))

/** Browsers that block the cookies of other sites may refuse their storage as well: choices are then kept for the visit. */
function replaceBlockedStorage(): void {
  for (const name of ['localStorage', 'sessionStorage'] as const) {
    try {
      window[name].getItem('')
    } catch {
      Object.defineProperty(window, name, { value: createMemoryStorage(), configurable: true })
    }
  }
}

function createMemoryStorage(): Storage {
  const items = new Map<string, string>()
  return {
    get length() {
      return items.size
    },
    key: (index) => [...items.keys()][index] ?? null,
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, String(value)),
    removeItem: (key) => void items.delete(key),
    clear: () => items.clear(),
  }
}
