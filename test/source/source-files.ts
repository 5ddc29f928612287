import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../', import.meta.url))
export const read = (path: string) => readFileSync(join(root, path), 'utf8')
export const files = globSync('{packages,apps,bench,e2e,scripts,test}/**/*.{ts,tsx,js}', {
  cwd: root,
  exclude: ['**/node_modules/**', '**/dist/**', '**/dist.*/**'],
})
/** Tests, benchmarks and their helpers may import anything. */
export const isProduct = (file: string) =>
  /^(packages|apps)\/[^/]+\/src\//.test(file) && !/\b(tests?|story)\./.test(file)
export const product = files.filter(isProduct)

export function moduleOf(file: string): string {
  const [, workspace = '', folder, module = ''] = file.split('/')
  if (workspace !== 'server') return workspace
  if (folder === 'migrations') return 'schema'
  return module.endsWith('.ts') ? 'service' : module
}

export function importsOf(file: string): string[] {
  const found = read(file).matchAll(
    /^\s*(?:import|export)\s[^;'"`]*?\bfrom\s+'([^']+)'|^\s*import\s+'([^']+)'|\bimport\(\s*'([^']+)'/gm,
  )
  return [...found].map(([, named, bare, late]) => named ?? bare ?? late ?? '')
}

export const isRelative = (imported: string) => imported.startsWith('.')
export const packageOf = (imported: string) => /^(@[^/]+\/)?[^/]+/.exec(imported)?.[0] ?? imported

/** The file that a relative import refers to. */
export const fileImportedBy = (file: string, imported: string) => normalize(join(dirname(file), imported))
