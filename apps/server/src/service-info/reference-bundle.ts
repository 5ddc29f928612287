import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { StaticFile } from '../platform/http/static-file.ts'

/** The address contains the version, so the content never changes. */
export const bundleCacheControl = 'public, max-age=31536000, immutable'

/**
 * Extract Scalar's browser script (4 MB) from its package. Importing the package blocks a thread for half a second and
 * leaves 70 MB behind, so a short-lived thread does it at the first request.
 */
export async function readReferenceBundle(): Promise<StaticFile> {
  const thread = new Worker(new URL('./reference-bundle-thread.ts', import.meta.url))
  const [file] = await once(thread, 'message')
  return file
}
