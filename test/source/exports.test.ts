import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { endpoints } from '@parley/contract'
import { fileImportedBy, files, moduleOf, product, read } from './source-files.ts'

/** Programs, threads and the web app's page, which are started by their path. */
const startedByPath = [
  'apps/server/src/main.ts',
  'apps/server/src/parley.ts',
  'apps/server/src/media/main.ts',
  'packages/command-line/src/main.ts',
  'apps/server/src/invitations/replies/read-mail-thread.ts',
  'apps/server/src/service-info/reference-bundle-thread.ts',
  'apps/server/src/docs/docs-page.js',
  'apps/web/src/app/main.ts',
  'apps/web/src/app/embed-main.ts',
  'apps/web/src/room/effects/background-wasm-worker.ts',
  'apps/web/src/room/effects/noise-wasm-worker.ts',
  'apps/web/src/room/effects/noise-worklet.ts',
]

/** The entry points in `package.json`: the file of each import of a package. */
const entryPointsOf = (folder: string): (readonly [string, string])[] => {
  const { name, exports } = JSON.parse(read(`${folder}/package.json`)) as { name: string; exports: object }
  return Object.entries(exports).map(([path, file]) => [join(name, path), join(folder, String(file))])
}
const contractIndex = 'packages/contract/src/index.ts'
/** Third parties import these, so everything that they export counts as used. */
const sdk = entryPointsOf('packages/client')
const entryPoints = new Map([...sdk, ...entryPointsOf('packages/contract'), ...entryPointsOf('packages/texts')])

function resolve(file: string, imported: string): string {
  if (imported.startsWith('@parley/rules/')) return `packages/rules/src/${imported.slice('@parley/rules/'.length)}.ts`
  return entryPoints.get(imported) ?? fileImportedBy(file, imported)
}

/**
 * The names that other files import from each file, tests included; `*` for all of them. The contract's index
 * re-exports everything that its files export, which does not count as a use.
 */
function namesImportedOf(): Map<string, Set<string>> {
  const names = new Map<string, Set<string>>()
  const add = (file: string, imported: string, found: readonly string[]) => {
    const target = resolve(file, imported)
    names.set(target, (names.get(target) ?? new Set()).union(new Set(found)))
  }
  for (const file of files) {
    const text = read(file)
    for (const [, clause = '', from = ''] of text.matchAll(/^\s*(?:import|export)\s([^;'"`]*?)\bfrom\s+'([^']+)'/gm)) {
      const inBraces = /\{([^}]*)\}/.exec(clause)?.[1] ?? (file === contractIndex ? '' : '*')
      add(
        file,
        from,
        inBraces.split(',').map((part) =>
          part
            .trim()
            .replace(/^type /, '')
            .replace(/ as .*/, ''),
        ),
      )
    }
    for (const [, from = ''] of text.matchAll(/\bimport\(\s*'([^']+)'/g)) add(file, from, ['*'])
  }
  return names
}

test('every export and every file is used by another file', () => {
  const imported = namesImportedOf()
  const fromContract = new Set(endpoints.map(({ name }) => name)).union(imported.get(contractIndex) ?? new Set())
  const checked = product.filter(
    (file) => !file.endsWith('.d.ts') && !sdk.some(([, entryPoint]) => entryPoint === file),
  )
  const unused = checked.flatMap((file) => {
    const names = imported.get(file)
    if (names === undefined) return startedByPath.includes(file) ? [] : [`${file} is imported by nothing`]
    if (names.has('*')) return []
    const used = moduleOf(file) === 'contract' ? names.union(fromContract) : names
    const exported = read(file).matchAll(
      /^export (?:abstract |async )*(?:function\*?|const|let|class|type|interface|enum) (\w+)/gm,
    )
    return [...exported].flatMap(([, name = '']) => (used.has(name) ? [] : [`${file} exports ${name} for nothing`]))
  })
  assert.deepEqual(unused, [])
})
