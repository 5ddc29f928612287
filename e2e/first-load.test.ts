import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { buildWebWhenStale, builtPages } from '../scripts/build-web.ts'

/** Issue 4: what a phone loads before it shows somebody's meetings. */
const mostGzippedBytes = 200 * 1024

type Chunk = { file: string; imports?: string[] }

test('the first load of /meetings is at most 200 KB of compressed JavaScript', async (t) => {
  await buildWebWhenStale()
  const manifest: Record<string, Chunk> = JSON.parse(await readFile(join(builtPages, 'manifest.json'), 'utf8'))
  const texts = ['app', 'problems', 'violations', 'meetings'].map((noun) => `src/texts/en/${noun}.json`)
  const files = new Set<string>()
  const load = (name: string) => {
    const chunk = manifest[name]
    assert.ok(chunk, `${name} was built`)
    if (files.has(chunk.file)) return
    files.add(chunk.file)
    for (const imported of chunk.imports ?? []) load(imported)
  }
  for (const name of ['index.html', 'src/meetings/MeetingsPage.tsx', ...texts]) load(name)

  const sizes = await Promise.all(
    [...files].map(async (file) => gzipSync(await readFile(join(builtPages, file))).length),
  )
  const total = sizes.reduce((sum, size) => sum + size, 0)
  t.diagnostic(`${Math.round(total / 1024)} KB in ${files.size} files`)
  assert.ok(total <= mostGzippedBytes, `${total} bytes`)
})
