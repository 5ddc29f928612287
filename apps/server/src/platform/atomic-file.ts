import { randomBytes } from 'node:crypto'
import { link, open, rename, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Write a file (mode 0600) completely or not at all, even through a power cut: a temporary file beside it is synced and
 * renamed.
 *
 * @param ifThere what happens to an existing file: `replace` it, or `keep` it and drop the new content
 */
export async function writeFileAtomically(path: string, content: string | Buffer, ifThere: 'replace' | 'keep') {
  const draft = `${path}.${randomBytes(8).toString('hex')}.draft`
  const file = await open(draft, 'wx', 0o600)
  try {
    await file.writeFile(content)
    await file.sync()
    await file.close()
    if (ifThere === 'replace') await rename(draft, path)
    else await linkUnlessThere(draft, path)
  } catch (error) {
    await file.close()
    await unlink(draft)
    throw error
  }
  await syncFolder(dirname(path))
}

/** Unlike a rename, a link never replaces another file. */
async function linkUnlessThere(draft: string, path: string) {
  try {
    await link(draft, path)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  await unlink(draft)
}

/** A file's name is durable once its folder is synced. */
/** Make the names in a folder durable. */
export async function syncFolder(path: string) {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
