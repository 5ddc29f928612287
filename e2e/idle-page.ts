import { setTimeout as sleep } from 'node:timers/promises'
import type { Page, Request } from 'playwright-core'

const quietMs = 500

/**
 * Return a function that waits until the page has had no request for half a second. The streams by which it follows
 * changes stay open, so Playwright's `networkidle` never comes.
 */
export function idleOf(page: Page): () => Promise<void> {
  const inProgress = new Set<Request>()
  let changedAt = Date.now()
  const end = (request: Request) => {
    inProgress.delete(request)
    changedAt = Date.now()
  }
  page.on('request', (request) => {
    if (request.headers().accept?.includes('text/event-stream') !== true) inProgress.add(request)
  })
  page.on('requestfinished', end)
  page.on('requestfailed', end)
  return async () => {
    while (inProgress.size > 0 || Date.now() - changedAt < quietMs) await sleep(50)
  }
}
