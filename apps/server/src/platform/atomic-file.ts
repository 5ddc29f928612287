import { randomBytes } from 'node:crypto'
import { link, open, rename, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Writes a file (mode 0600) whole or not at all, also in a power cut: a draft beside it is synced and takes its name.
 * @param ifThere what happens to a file of that name: `replace` it, or `keep` it and drop the new content
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

/** Unlike a rename, a link never takes the place of another file, whoever else is writing. */
async function linkUnlessThere(draft: string, path: string) {
  try {
    await link(draft, path)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  await unlink(draft)
}

/** A name is on the disk once its folder is. */
async function syncFolder(path: string) {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
