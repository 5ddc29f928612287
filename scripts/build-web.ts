import { createHash } from 'node:crypto'
import { globSync } from 'node:fs'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/**
 * Build the pages, and pack the client that the service offers for download, when they are missing or older than their
 * sources. `npm start` begins with it.
 */

const root = fileURLToPath(new URL('../', import.meta.url))
const web = join(root, 'apps/web')
/** The result of the build. */
export const builtPages = join(web, 'dist')
/** A hash of the sources of the last build. */
const sourcesFile = 'sources.sha256'
/** Below this size, compression saves no more than its response header adds. */
const smallestCompressedBytes = 1024

/** 7 % more bytes than at the highest level, in a quarter of its time, for which the first start waits. */
const brotliQuality = 9

/** Patterns of the pages' sources. */
export const pageSources = [
  'package-lock.json',
  'apps/web/{index.html,embed.html,vite.config.ts,package.json}',
  'apps/web/src/**/*',
  'packages/*/src/**/*.ts',
  'packages/texts/*/*.json',
  // The developer pages show its programs.
  'docs/quick-starts.md',
  // The offline page shows the mark.
  'apps/server/src/service-info/icon.svg',
  // Of the client's package.
  'packages/client/{README.md,package.json}',
  'packages/{contract,command-line}/package.json',
  'scripts/{pack-client,pack-python-client,write-tarball}.ts',
  'scripts/python-client/*.py',
  'LICENSE',
]

/** Build in a separate folder and rename it, because another process may build at the same time. */
export async function buildWebWhenStale(): Promise<'fresh' | 'built'> {
  const hash = await hashOfSources()
  if ((await readFile(join(builtPages, sourcesFile), 'utf8').catch(() => '')) === hash) return 'fresh'

  const { build } = await import('vite')
  const { packClient } = await import('./pack-client.ts')
  const { packPythonClient } = await import('./pack-python-client.ts')
  const beside = `${builtPages}.${process.pid}`
  try {
    // Beside, because Vite empties its folder.
    const packages = `${beside}.packages`
    await Promise.all([
      packClient(packages),
      packPythonClient(packages),
      build({
        configFile: join(web, 'vite.config.ts'),
        // Hide warnings about parts of libraries that no page uses: they would be the first output that a newcomer reads.
        logLevel: 'error',
        build: { outDir: beside, emptyOutDir: true },
      }),
    ])
    await compressAssets(beside)
    await rename(packages, join(beside, 'packages'))
    await writeFile(join(beside, sourcesFile), hash)
    await putInPlace(beside)
  } finally {
    await rm(beside, { recursive: true, force: true })
    await rm(`${beside}.packages`, { recursive: true, force: true })
  }
  return 'built'
}

/** Keep the result of a build that finished earlier: both have the same sources. */
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

/** Compress once, instead of for each reply. */
async function compressAssets(folder: string) {
  const files = globSync('assets/*.{js,css,svg,json,wasm}', { cwd: folder })
  await Promise.all(
    files.map(async (file) => {
      const bytes = await readFile(join(folder, file))
      if (bytes.length < smallestCompressedBytes) return
      const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } }
      await writeFile(join(folder, `${file}.br`), await promisify(brotliCompress)(bytes, quality))
      // Browsers that have cameras and WebAssembly know Brotli; the large files would take seconds of the first start.
      if (file.endsWith('.wasm')) return
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
