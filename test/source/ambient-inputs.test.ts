import assert from 'node:assert/strict'
import { test } from 'node:test'
import { moduleOf, product, read } from './source-files.ts'

/** The browser's platform: these files inject time and randomness into the pages, the client and the command line. */
const platformOfBrowser = [
  'apps/web/src/ui/hooks/use-now.ts',
  'apps/web/src/ui/random-key.ts',
  'packages/client/src/clock-and-random.ts',
  'packages/command-line/src/computer-inputs.ts',
  // They measure their own work, apart from the page.
  'apps/web/src/room/effects/background-wasm-worker.ts',
  'apps/web/src/room/effects/noise-worklet.ts',
]

test('only platform reads a clock or a random source', () => {
  const ambient =
    /Date\.now\b|new Date\(\)|[^.\w]Date\(\)|Math\.random|Temporal\.Now|performance\.now|\brandom(UUID|Bytes|Int)\b/
  const others = product.filter((file) => moduleOf(file) !== 'platform' && !platformOfBrowser.includes(file))
  const readers = others.filter((file) => ambient.test(read(file)))
  assert.deepEqual(readers, [])
})

test('rules use no process, network or screen', () => {
  const outside = /\b(process|globalThis|fetch|crypto|console|document|window)\s*[.(]/
  const knowing = product.filter((file) => moduleOf(file) === 'rules' && outside.test(withoutComments(read(file))))
  assert.deepEqual(knowing, [])
})

function withoutComments(source: string): string {
  return source.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
}
