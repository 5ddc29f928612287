/**
 * Register the worker that answers with the offline page (service-worker.ts), once the page has loaded everything.
 * `npm run dev` builds none, and browsers offer workers over HTTPS and at localhost only. A browser that refuses, such
 * as in a private window, shows its own page when there is no network.
 */
if (import.meta.env.PROD && 'serviceWorker' in navigator) {
  const register = () => navigator.serviceWorker.register('/service-worker.js').catch(() => undefined)
  if (document.readyState === 'complete') void register()
  else window.addEventListener('load', register, { once: true })
}
