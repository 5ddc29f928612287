import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeFileAtomically } from '../atomic-file.ts'
import type { Random } from '../random.ts'
import { StartProblem } from '../start-problem.ts'
import { parseKey } from './config-values.ts'

const keyFile = 'secret-key'

/**
 * Read the secret key of a data folder: 32 bytes, generated at the first start and stored in `secret-key` (mode 0600),
 * never overwritten. Throw a StartProblem when the file is damaged: nothing encrypted could be read with another key.
 */
export async function readOrMakeSecretKey(dataDir: string, random: Random): Promise<Buffer> {
  const path = join(dataDir, keyFile)
  const stored = await readKeyFile(path)
  if (stored !== undefined) return stored
  await writeFileAtomically(path, `${random.bytes(32).toString('hex')}\n`, 'keep')
  const made = await readKeyFile(path)
  if (made === undefined) throw new StartProblem(`The secret key ${path} disappeared while it was created.`)
  return made
}

async function readKeyFile(path: string): Promise<Buffer | undefined> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined
    throw new StartProblem(`The secret key ${path} cannot be read.`, { cause })
  }
  const key = parseKey(text.trim())
  if (key !== undefined) return key
  throw new StartProblem(
    `The secret key ${path} is damaged: it must hold 64 hexadecimal digits. ` +
      'Put it back from a backup; without it PINs and room keys in the database cannot be read.',
  )
}
