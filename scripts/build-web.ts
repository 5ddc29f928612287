import { createHash } from 'node:crypto'
import { globSync } from 'node:fs'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** Builds the pages when they are missing, or older than what they are made of. `npm start` begins with it. */

const root = fileURLToPath(new URL('../', import.meta.url))
const web = join(root, 'apps/web')
/** What was built. */
export const builtPages = join(web, 'dist')
/** Which sources it was built from. */
const sourcesFile = 'sources.sha256'
/** A response header costs as much as compression saves on less. */
const smallestCompressedBytes = 1024

/** A fourth of the time that the highest takes, for 7 % more bytes: whoever starts Parley waits for it. */
const brotliQuality = 9

/** Patterns of what the pages are made of. */
export const pageSources = [
  'package-lock.json',
  'apps/web/{index.html,vite.config.ts,package.json}',
  'apps/web/src/**/*',
  'packages/*/src/**/*.ts',
  // Developers read its programs on their pages.
  'docs/oauth.md',
]

/** Another process may build at the same time: each builds beside, and puts its result in place at once. */
export async function buildWebWhenStale(): Promise<'fresh' | 'built'> {
  const hash = await hashOfSources()
  if ((await readFile(join(builtPages, sourcesFile), 'utf8').catch(() => '')) === hash) return 'fresh'

  const { build } = await import('vite')
  const beside = `${builtPages}.${process.pid}`
  try {
    await build({
      configFile: join(web, 'vite.config.ts'),
      // A warning about a part of a library that no page takes would be the first that a newcomer reads.
      logLevel: 'error',
      build: { outDir: beside, emptyOutDir: true },
    })
    await compressAssets(beside)
    await writeFile(join(beside, sourcesFile), hash)
    await putInPlace(beside)
  } finally {
    await rm(beside, { recursive: true, force: true })
  }
  return 'built'
}

/** Who comes second leaves what the first has put there: it was made of the same. */
async function putInPlace(beside: string) {
  const former = `${beside}.former`
  await rename(builtPages, former).catch(unless('ENOENT'))
  await rename(beside, builtPages).catch(unless('ENOTEMPTY'))
  await rm(former, { recursive: true, force: true })
}

const unless = (expected: string) => (error: NodeJS.ErrnoException) => {
  if (error.code !== expected) throw error
}

async function hashOfSources(): Promise<string> {
  const files = globSync(pageSources, { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
  const hash = createHash('sha256').update(process.version)
  for (const file of files) hash.update(`${file.slice(root.length)}\0`).update(await readFile(file))
  return hash.digest('hex')
}

/** Once here, rather than with each answer. */
async function compressAssets(folder: string) {
  const files = globSync('assets/*.{js,css,svg,json}', { cwd: folder })
  await Promise.all(
    files.map(async (file) => {
      const bytes = await readFile(join(folder, file))
      if (bytes.length < smallestCompressedBytes) return
      const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } }
      await writeFile(join(folder, `${file}.br`), await promisify(brotliCompress)(bytes, quality))
      await writeFile(join(folder, `${file}.gz`), await promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }))
    }),
  )
}

if (import.meta.main) {
  const began = performance.now()
  const outcome = await buildWebWhenStale()
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  if (outcome === 'built') console.log(`The pages were built in ${seconds} s (apps/web/dist).`)
}
