import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { test } from 'node:test'
import {
  fileImportedBy,
  files,
  importsOf,
  isRelative,
  moduleOf,
  packageOf,
  product,
  read,
  root,
} from './source-files.ts'

/** What every module with a database may import. */
const ground: readonly string[] = ['platform', 'schema', 'contract', 'rules', 'texts']

/** Allowed imports between modules (docs/architecture.md); all others are refused. */
const allowed: Record<string, readonly string[]> = {
  texts: [],
  contract: ['texts'],
  rules: ['contract', 'texts'],
  client: ['contract'],
  'command-line': ['client', 'contract'],
  web: ['client', 'contract', 'rules', 'texts'],
  platform: ['schema', 'contract', 'rules', 'texts'],
  schema: ['contract', 'rules', 'texts'],
  access: [...ground],
  'event-log': ['access', ...ground],
  'service-info': ['access', ...ground],
  email: [...ground],
  accounts: ['access', 'email', ...ground],
  meetings: ['event-log', 'accounts', 'access', ...ground],
  invitations: ['event-log', 'meetings', 'server-pages', 'accounts', 'access', 'email', ...ground],
  rooms: ['event-log', 'meetings', 'accounts', 'access', ...ground],
  media: ['platform'],
  'server-pages': ['platform', 'contract', 'rules', 'texts'],
  metrics: ['rooms', 'email', 'platform', 'contract'],
  'web-app': ['platform'],
  docs: ['server-pages', 'platform', 'contract', 'rules', 'texts'],
  'oauth-apps': ['event-log', 'accounts', 'access', ...ground],
  sso: ['server-pages', 'accounts', 'access', ...ground],
  oauth: ['event-log', 'oauth-apps', 'server-pages', 'accounts', 'access', ...ground],
  webhooks: ['event-log', 'oauth-apps', 'meetings', 'accounts', 'access', 'email', ...ground],
  mcp: ['access', 'platform', 'contract', 'rules', 'texts'],
  'account-data': ['webhooks', 'event-log', 'invitations', 'oauth-apps', 'meetings', 'accounts', 'access', ...ground],
  cli: [
    'webhooks',
    'oauth',
    'rooms',
    'invitations',
    'oauth-apps',
    'account-data',
    'sso',
    'meetings',
    'accounts',
    'access',
    'email',
    ...ground,
  ],
  service: [
    'mcp',
    'metrics',
    'webhooks',
    'event-log',
    'account-data',
    'cli',
    'sso',
    'invitations',
    'web-app',
    'docs',
    'oauth',
    'oauth-apps',
    'server-pages',
    'rooms',
    'meetings',
    'accounts',
    'service-info',
    'access',
    'email',
    ...ground,
  ],
}

/**
 * Within a module: which inner folder may import which other. Inner folders and the files of the module's root may
 * import each other.
 */
const allowedInside: Record<string, readonly string[]> = {
  'platform/config': ['platform/database'],
  'platform/database': [],
  'platform/http': ['platform/database'],
  'platform/jobs': ['platform/database'],
  'platform/outbound': [],
  'platform/postgres': [],
  'access/credentials': [],
  'accounts/account': [],
  'accounts/email-links': ['accounts/account'],
  'accounts/passkeys': ['accounts/account', 'accounts/email-links', 'accounts/sessions'],
  'accounts/sessions': ['accounts/account'],
  'cli/import': [],
  'event-log/push': [],
  'invitations/calendar': [],
  'invitations/delivery': [],
  'invitations/replies': [],
  'meetings/lists': [],
  'meetings/templates': [],
  'oauth-apps/agent-clients': ['oauth-apps/events'],
  'oauth-apps/events': [],
  'oauth/authorize': ['oauth/grants'],
  'oauth/grants': ['oauth/token'],
  'oauth/token': [],
  'rooms/admission': [],
  'rooms/breakout': ['rooms/admission', 'rooms/engine'],
  'rooms/engine': ['rooms/admission'],
  'media/rtp': [],
  'media/peer': ['media/rtp'],
  'media/tracks': ['media/peer', 'media/rtp'],
  'media/room': ['media/tracks', 'media/peer', 'media/rtp'],
  'media/signaling': ['media/room', 'media/tracks', 'media/peer'],
}

/** Files were hard to find in folders of 59 to 94. A folder with more needs inner folders, one per layer or noun. */
const maxFilesOfFolder = 25
/** Folders that still hold more. */
const fullFolders: readonly string[] = []

/** The inner folder of a server module that a file is in, such as `rooms/admission`. */
const innerFolderOf = (file: string): string | undefined => /^apps\/server\/src\/([a-z-]+\/[a-z-]+)\//.exec(file)?.[1]

const moduleImportedBy = (file: string) => (imported: string) => {
  if (isRelative(imported)) return moduleOf(fileImportedBy(file, imported))
  return imported.startsWith('@parley/') ? packageOf(imported).slice('@parley/'.length) : undefined
}

test('each module imports only modules that the table allows', () => {
  const wrong = product.flatMap((file) => {
    const module = moduleOf(file)
    const modules = importsOf(file).map(moduleImportedBy(file))
    return modules
      .filter((other) => other !== undefined && other !== module && !allowed[module]?.includes(other))
      .map((other) => `${file} imports ${other}`)
  })
  assert.deepEqual(wrong, [])
})

test('docs/architecture.md lists the imports that the table allows', () => {
  const width = Math.max(...Object.keys(allowed).map((module) => module.length))
  const shown = (imported: readonly string[]) =>
    ground.every((module) => imported.includes(module))
      ? [...imported.filter((module) => !ground.includes(module)), 'ground']
      : imported
  const lines = Object.entries({ ground, ...allowed }).map(([module, imported]) =>
    `${module.padEnd(width)}  ${(module === 'ground' ? ground : shown(imported)).join(', ') || 'none'}`.trimEnd(),
  )
  const document = read('docs/architecture.md')
  const written = document.replace(/(?<=^```imports\n)[^`]*(?=^```$)/m, `${lines.join('\n')}\n`)
  if (process.env.UPDATE_SNAPSHOTS === '1') writeFileSync(join(root, 'docs/architecture.md'), written)
  assert.equal(document, written, 'UPDATE_SNAPSHOTS=1 npm test -- test/source/architecture.test.ts writes the list')
})

test('each inner folder of a module imports only inner folders that the table allows', () => {
  const wrong = product.flatMap((file) => {
    const inner = innerFolderOf(file) ?? ''
    const allowedHere = allowedInside[inner]
    if (allowedHere === undefined) return []
    const module = inner.slice(0, inner.indexOf('/') + 1)
    return importsOf(file)
      .filter(isRelative)
      .map((imported) => innerFolderOf(fileImportedBy(file, imported)))
      .filter((other) => other?.startsWith(module) && other !== inner && !allowedHere.includes(other))
      .map((other) => `${file} imports ${other}`)
  })
  assert.deepEqual(wrong, [])
})

test('the table of inner folders is complete and has no cycle', () => {
  function findCycle(path: readonly string[]): readonly string[] | undefined {
    for (const next of allowedInside[path.at(-1) ?? ''] ?? []) {
      const cycle = path.includes(next) ? [...path, next] : findCycle([...path, next])
      if (cycle !== undefined) return cycle
    }
    return undefined
  }
  for (const folder of Object.keys(allowedInside)) assert.deepEqual(findCycle([folder]), undefined)
  const inner = new Set(product.map(innerFolderOf).filter((folder) => folder !== undefined))
  assert.deepEqual([...inner].toSorted(), Object.keys(allowedInside).toSorted())
})

test('no import cycle exists, type imports included', () => {
  const known = new Set(product)
  const importedBy = (file: string) =>
    importsOf(file)
      .filter(isRelative)
      .map((imported) => fileImportedBy(file, imported))
      .filter((imported) => known.has(imported))
  const finished = new Set<string>()
  /** Find a path from a file back to itself by depth-first search; undefined where there is none. */
  function findCycle(file: string, path: readonly string[]): readonly string[] | undefined {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file]
    if (finished.has(file)) return undefined
    for (const imported of importedBy(file)) {
      const cycle = findCycle(imported, [...path, file])
      if (cycle !== undefined) return cycle
    }
    finished.add(file)
    return undefined
  }
  for (const file of product) assert.equal(findCycle(file, [])?.join(' > '), undefined)
})

test('no folder holds more than 25 source files', () => {
  const counts = new Map<string, number>()
  for (const file of product) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1)
  const full = [...counts].filter(([folder, count]) => count > maxFilesOfFolder && !fullFolders.includes(folder))
  assert.deepEqual(full, [])
  assert.deepEqual(
    fullFolders.filter((folder) => (counts.get(folder) ?? 0) <= maxFilesOfFolder),
    [],
    'these no longer need their exception',
  )
})

test('files are named in kebab-case, components in PascalCase, and nothing is exported by default', () => {
  const misnamed = files.filter(
    (file) => !/^([a-z\d-]+(\.[a-z\d-]+)*\.(ts|js)|[A-Z][A-Za-z\d]*\.tsx)$/.test(basename(file)),
  )
  assert.deepEqual(misnamed, [])
  assert.deepEqual(
    product.filter((file) => /^export default\b/m.test(read(file))),
    [],
  )
})

test('the name of a test is that of the file beside it which it tests, with an aspect where there are several', () => {
  const named = new Set(files.map((file) => file.replace(/\.(?:ts|tsx|js)$/, '')))
  const tests = files.filter((file) => /^(?:packages|apps)\/[^/]+\/src\/.*\.test\.tsx?$/.test(file))
  const astray = tests.filter((file) => {
    const [source = ''] = basename(file).split('.')
    return !named.has(`${dirname(file)}/${source}`)
  })
  assert.deepEqual(astray, [])
})

test('what the service registers of a module is in the file that has the name of the module', () => {
  const imports = read('apps/server/src/app.ts').matchAll(/^import \{([^}]*)\} from '\.\/([\w-]+)\/([^']+)\.ts'/gm)
  const entries = [...imports].filter(([, names = '']) =>
    /\bregister[A-Z]|\bcreate(?:Access|Platform|Rooms)\b/.test(names),
  )
  assert.ok(entries.length > 10)
  for (const [, , module, file] of entries) assert.equal(file, module)
})
