import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The pages as `scripts/build-web.ts` leaves them. */
export type Site = {
  /** Holds `assets`: files that are named by their content. */
  folder: string
  /** The one document that every page begins with. */
  document: string
  /** Addresses that are pages, as the router writes them: `/j/$code`. */
  addresses: readonly string[]
}

/** Undefined when the pages are not built: the API serves without them. */
export async function readSite(folder: string): Promise<Site | undefined> {
  try {
    const document = await readFile(join(folder, 'index.html'), 'utf8')
    return { folder, document, addresses: JSON.parse(await readFile(join(folder, 'addresses.json'), 'utf8')) }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
