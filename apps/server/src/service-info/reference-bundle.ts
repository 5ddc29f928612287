import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { StaticFile } from '../platform/http/static-file.ts'

/** Its address names its version, so what lies there never changes. */
export const bundleCacheControl = 'public, max-age=31536000, immutable'

/**
 * Takes Scalar's script for the browser (4 MB) out of its package. To import that package holds a thread for half a
 * second and leaves 70 MB behind: it is done in a thread that ends with it, when somebody first asks.
 */
export async function readReferenceBundle(): Promise<StaticFile> {
  const thread = new Worker(new URL('./reference-bundle-thread.ts', import.meta.url))
  const [file] = await once(thread, 'message')
  return file
}
