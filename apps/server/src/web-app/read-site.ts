import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The web app as built by `scripts/build-web.ts`. */
export type Site = {
  /** Contains `assets`: files named by their content hash. */
  folder: string
  /** The HTML document of all pages. */
  document: string
  /** The page addresses in the router's syntax: `/j/$code`. */
  addresses: readonly string[]
}

/** Read the built web app; undefined when it is not built, and the API serves without it. */
export async function readSite(folder: string): Promise<Site | undefined> {
  try {
    const document = await readFile(join(folder, 'index.html'), 'utf8')
    return { folder, document, addresses: JSON.parse(await readFile(join(folder, 'addresses.json'), 'utf8')) }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
