/**
 * Register the worker that shows the offline page and pushed notifications (app/service-worker), which the server sends.
 * Undefined where there is none: `npm run dev` builds none, browsers offer workers over HTTPS and at localhost only, and
 * some refuse in a private window.
 */
export async function registerServiceWorker(): Promise<ServiceWorkerRegistration | undefined> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return undefined
  try {
    await navigator.serviceWorker.register('/service-worker.js')
    return await navigator.serviceWorker.ready
  } catch {
    return undefined
  }
}

/** The worker that an earlier page has registered. */
export const findServiceWorker = async (): Promise<ServiceWorkerRegistration | undefined> =>
  'serviceWorker' in navigator ? navigator.serviceWorker.getRegistration() : undefined
