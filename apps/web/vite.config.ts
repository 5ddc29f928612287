import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { languageCodes } from '@parley/texts/languages'
import react from '@vitejs/plugin-react'
import postcssPresetMantine from 'postcss-preset-mantine'
import { defineConfig, type Plugin } from 'vite'

/** The server puts a fresh one in its place with each answer (apps/server/src/web-app). */
const noncePlaceholder = 'PARLEY_STYLE_NONCE'

/** Where `npm run dev` has the server listen, behind Vite. */
const serverAddress = process.env.PARLEY_SERVER ?? 'http://localhost:3001'

/** What the server answers itself; every other address is a page. */
const answeredByServer =
  '^/(api|embed|embed\\.js|oauth2|problems|reference|docs|fonts|fonts\\.css|icon\\.svg|icon-\\d+\\.png|manifest\\.webmanifest|favicon\\.ico|\\.well-known|openapi\\.json|client[^/]*\\.tgz|healthz|readyz|version|media)(/|\\?|$)'

/**
 * What most pages use is one file: forty small ones are larger together, and a page asks for each. Components are left
 * out, because their styles must come after Mantine's.
 */
const sharedByPages = {
  name: 'shared',
  test: /\/(apps\/web\/src\/(ui|session|texts)|packages\/texts\/src)\/.*\.ts$/,
  minShareCount: 20,
}

/**
 * Components, hooks and icons of libraries, whose styles are in Mantine's one style sheet. What only dialogs need is left
 * out: most pages have a dialog, and none is open at first.
 */
const librariesOfPages = {
  name: 'libraries',
  test: /node_modules\/(@mantine\/(core|hooks)|@tabler|@tanstack)\/(?!.*\/(FocusTrap|use-focus-(trap|return)|Overlay|Portal|Floating)\/)/,
  // With fewer, the rest of dialogs and menus would be in the first load. Each new page adds one to their count.
  minShareCount: 40,
}

/**
 * What is in the first load: the modules that the frame reaches by static imports, and those that the start page and the
 * lobby of a meeting add. Small files are larger together, and each takes a request.
 */
const firstLoad = { frame: new Set<string>(), startPage: new Set<string>(), lobby: new Set<string>() }
const ofFirstLoad = [
  // The pages and the frame of an embedded meeting begin with React’s renderer; apart, it would be one more file.
  { name: 'frame', test: (id: string) => firstLoad.frame.has(id) || /node_modules\/(react-dom|scheduler)\//.test(id) },
  { name: 'start-page', test: (id: string) => firstLoad.startPage.has(id) },
  // Its own modules only: other pages have the same parts of libraries.
  { name: 'lobby', test: (id: string) => firstLoad.lobby.has(id) && /\/src\/(join|room)\//.test(id) },
]

/** Every page has these files: no list of what a further part needs names them. */
const isLoadedFirst = /\/(index|libraries|frame|rolldown-runtime)-[^/]+$/

/**
 * Find the modules of the first load. Of libraries and the contract, whose front doors lead to all their modules, only
 * those that these modules name.
 */
function findFirstLoad(): Plugin {
  return {
    name: 'find-first-load',
    apply: 'build',
    buildEnd() {
      const reach = (entry: string, found: Set<string>, known?: ReadonlySet<string>) => {
        const named = new Set<string>()
        const follow = (id: string) => {
          // Mantine's styles come before those of components, which are in the same file.
          const isFollowed = id.includes('/apps/web/src/') || partsOfEveryCall.test(id) || id.includes('/styles.css')
          if (found.has(id) || known?.has(id) || !isFollowed) return
          found.add(id)
          const module = this.getModuleInfo(id)
          for (const [, names = ''] of module?.code?.matchAll(namesOfLibraries) ?? []) {
            for (const name of names.split(',')) named.add(name.trim().split(' ')[0] ?? '')
          }
          for (const imported of module?.importedIds ?? []) follow(imported)
        }
        follow(join(import.meta.dirname, 'src', entry))
        for (const id of this.getModuleIds()) {
          const [, folder = ''] = namedFolder.exec(id) ?? []
          const isNamed =
            named.has(folder) || named.has(camelCase(folder)) || named.has(id.split(contractModule)[1] ?? '')
          if (isNamed) found.add(id)
        }
      }
      reach('app/main.ts', firstLoad.frame)
      // The entry runs by itself.
      firstLoad.frame.delete(join(import.meta.dirname, 'src/app/main.ts'))
      reach('meetings/list/MeetingsPage.tsx', firstLoad.startPage, firstLoad.frame)
      reach('join/JoinPage.tsx', firstLoad.lobby, firstLoad.frame)
      // A guest in the lobby needs nothing else of the start page.
      for (const id of firstLoad.lobby) if (firstLoad.startPage.delete(id)) firstLoad.frame.add(id)
    },
    generateBundle: {
      // The comment is to be the first line.
      order: 'post',
      handler(_options, bundle) {
        for (const chunk of Object.values(bundle)) {
          if (chunk.type !== 'chunk' || !calledOnLoad.includes(chunk.name)) continue
          chunk.code = `${compiledAtOnce}\n${chunk.code}`
        }
      },
    },
  }
}

/**
 * Has V8 compile all functions of a file while it arrives, on another thread, and not each one at its first call: the
 * start page calls so many that this took a sixth of its time on the main thread.
 */
const compiledAtOnce = '//# allFunctionsCalledOnLoad'
const calledOnLoad = ['index', 'libraries', 'frame', 'start-page']

/** The rest of the client, its streams, is fetched by the pages and the parts of the frame that come later. */
const partsOfEveryCall = /\/packages\/client\/src\/(connect|send)\.ts$/
const namesOfLibraries =
  /import \{([^}]+)\} from ["'](?:@mantine\/(?:core|hooks)|@parley\/contract|@tanstack\/react-(?:query|router))["']/g
const namedFolder = /node_modules\/@(?:mantine|tanstack)\/.*\/([\w-]+)(?:\/[\w-]+)?\.(?:mjs|js)$/
const camelCase = (name: string) => name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    react(),
    textsByLanguage(),
    iconsAlone(),
    slimContract(),
    listAddresses(),
    serviceWorker(),
    embedScript(),
    findFirstLoad(),
  ],
  // The client's workers are modules.
  worker: { format: 'es' },
  html: { cspNonce: noncePlaceholder },
  css: { postcss: { plugins: [postcssPresetMantine()] } },
  json: { stringify: true },
  // Pictures are files of their own, so that the policy allows no `data:`.
  build: {
    target: 'baseline-widely-available',
    assetsInlineLimit: 0,
    manifest: 'manifest.json',
    reportCompressedSize: false,
    modulePreload: {
      // Every browser of the target knows `modulepreload`.
      polyfill: false,
      resolveDependencies: (_file, needed, { hostType }) =>
        hostType === 'html' ? needed : needed.filter((file) => !isLoadedFirst.test(file)),
    },
    rolldownOptions: {
      input: { index: join(import.meta.dirname, 'index.html'), embed: join(import.meta.dirname, 'embed.html') },
      output: {
        codeSplitting: { groups: [librariesOfPages, ...ofFirstLoad, sharedByPages] },
        // The first load names all files: 42 bits of their content tell two of one name apart.
        chunkFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:7][extname]',
      },
    },
  },
  server: { proxy: { [answeredByServer]: { target: serverAddress, ws: true } }, strictPort: true },
})

const textsModule = 'virtual:texts-by-language'
const textsOfEveryPage = ['app', 'problems', 'sign-in', 'violations']

/**
 * One module for each language, which imports its nouns: a list of all files of all languages would be in the first
 * load of each page, and grow with each language. The texts of emails and of the server's pages are no page's.
 */
function textsByLanguage(): Plugin {
  const folderOf = (code: string) => join(import.meta.dirname, '../../packages/texts', code)
  const ofLanguage = (code: string) => {
    const file = (noun: string) => JSON.stringify(join(folderOf(code), `${noun}.json`))
    const nouns = globSync('*.json', { cwd: folderOf(code), exclude: ['*-emails.json', '*-pages.json'] })
      .map((name) => name.replace('.json', ''))
      .filter((noun) => !textsOfEveryPage.includes(noun))
    return [
      ...textsOfEveryPage.map((noun, at) => `import noun${at} from ${file(noun)}`),
      `export const textsOfEveryPage = { ${textsOfEveryPage.map((noun, at) => `'${noun}': noun${at}`).join(', ')} }`,
      `export const nouns = { ${nouns.map((noun) => `'${noun}': () => import(${file(noun)})`).join(', ')} }`,
    ].join('\n')
  }
  return {
    name: 'texts-by-language',
    resolveId: (id) => (id.startsWith(textsModule) ? `\0${id}` : undefined),
    load(id) {
      if (!id.startsWith(`\0${textsModule}`)) return undefined
      const code = id.slice(textsModule.length + 2)
      if (code !== '') return ofLanguage(code)
      const imports = languageCodes.map((one) => `${one}: () => import(${JSON.stringify(`${textsModule}/${one}`)})`)
      return `export const textsByLanguage = { ${imports.join(', ')} }`
    },
  }
}

/** A module of one export of the contract, by its name. */
const contractModule = 'parley-contract/'

/**
 * Keep of an endpoint only what a call of it needs: the server validates by its schemas. Each export of the contract
 * becomes plain data in a module of its own, so that a page loads only the endpoints that it calls, and never TypeBox.
 */
function slimContract(): Plugin {
  return {
    name: 'slim-contract',
    apply: 'build',
    resolveId: (id) => (id.startsWith(contractModule) ? { id: `\0${id}`, moduleSideEffects: false } : undefined),
    async load(id) {
      const contract: Record<string, unknown> = await import('@parley/contract')
      if (id.startsWith(`\0${contractModule}`)) {
        const name = id.slice(contractModule.length + 1)
        const value = contract[name]
        const data = JSON.stringify(isEndpoint(value) ? called(value) : value)
        return { code: `export const ${name} = ${data}`, map: null, moduleSideEffects: false }
      }
      if (!/\/packages\/contract\/src\/index\.ts$/.test(id)) return undefined
      const names = Object.keys(contract).filter((name) => typeof contract[name] !== 'function' && name !== 'endpoints')
      const lines = names.map((name) => `export { ${name} } from '${contractModule}${name}'`)
      // The one function that the client calls; its file carries no schema.
      lines.push("export { mediaTypesOf } from './endpoint.ts'")
      return { code: lines.join('\n'), map: null, moduleSideEffects: false }
    },
  }
}

type Called = {
  name: string
  method: string
  path: string
  mediaType?: string
  download?: readonly string[]
  stream?: true
  replyStatuses?: readonly number[]
}

const isEndpoint = (value: unknown): value is Called =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value
const called = ({ name, method, path, mediaType, download, stream, replyStatuses }: Called) => ({
  name,
  method,
  path,
  mediaType,
  download,
  stream,
  replyStatuses,
})

/** Build the script that the pages of apps load to embed a meeting, a module of its own without imports. */
function embedScript(): Plugin {
  return {
    name: 'embed-script',
    apply: 'build',
    buildStart() {
      const id = join(import.meta.dirname, '../../packages/client/src/embed.ts')
      this.emitFile({ type: 'chunk', id, fileName: 'embed.js', preserveSignature: 'strict' })
    },
  }
}

/** The package's front door leads through 6,000 files, one an icon: those that are used are fetched by their own. */
function iconsAlone(): Plugin {
  const imports = /^import \{([^}]+)\} from '@tabler\/icons-react'$/gm
  return {
    name: 'icons-alone',
    apply: 'build',
    enforce: 'pre',
    transform(code, id) {
      if (!id.includes('/apps/web/src/') || !code.includes('@tabler/icons-react')) return undefined
      const one = (name: string) => `import ${name} from '@tabler/icons-react/dist/esm/icons/${name}.mjs'`
      // In one line, so that every other line stays where it was.
      const all = (_: string, names: string) =>
        names
          .split(',')
          .map((name) => name.trim())
          .filter(Boolean)
          .map(one)
          .join(';')
      return { code: code.replaceAll(imports, all), map: null }
    },
  }
}

/** Tells the server which addresses are pages. */
function listAddresses(): Plugin {
  return {
    name: 'list-addresses',
    apply: 'build',
    async generateBundle() {
      // Loaded when it is needed, by Node: Vite would bundle what the configuration imports, all pages included.
      const table = join(import.meta.dirname, 'src/app/pages.ts')
      const { addresses }: typeof import('./src/app/pages.ts') = await import(table)
      this.emitFile({ type: 'asset', fileName: 'addresses.json', source: JSON.stringify(addresses) })
    },
  }
}

/** Build the worker that answers with the offline page. It is at the root, because it acts for the folder it is in. */
function serviceWorker(): Plugin {
  const readTexts = (language: string, noun: string) =>
    JSON.parse(readFileSync(join(import.meta.dirname, `../../packages/texts/${language}/${noun}.json`), 'utf8'))
  const textsIn = (language: string) => {
    const app: typeof import('../../packages/texts/en/app.json') = readTexts(language, 'app')
    const problems: typeof import('../../packages/texts/en/problems.json') = readTexts(language, 'problems')
    const { title: failedTitle, offlineTitle, offline } = app.failed
    return { failedTitle, failed: problems.unavailable, offlineTitle, offline, tryAgain: app.tryAgain }
  }
  return {
    name: 'service-worker',
    apply: 'build',
    async generateBundle() {
      // Loaded like the addresses.
      const folder = join(import.meta.dirname, 'src/app')
      const { addresses }: typeof import('./src/app/pages.ts') = await import(join(folder, 'pages.ts'))
      const { renderServiceWorker }: typeof import('./src/app/service-worker/service-worker.ts') = await import(
        join(folder, 'service-worker/service-worker.ts')
      )
      const icon = readFileSync(join(import.meta.dirname, '../server/src/service-info/icon.svg'), 'utf8')
      const [, path = ''] = /(<path .*\/>)/.exec(icon) ?? []
      const mark = `<svg viewBox="0 0 32 32" fill="currentColor" aria-hidden="true">${path}</svg>`
      const source = renderServiceWorker(addresses, textsIn, mark)
      this.emitFile({ type: 'asset', fileName: 'service-worker.js', source })
    },
  }
}
