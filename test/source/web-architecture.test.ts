import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { basename } from 'node:path'
import { test } from 'node:test'
import { fileImportedBy, importsOf, isRelative, packageOf, product, read, root } from './source-files.ts'

/** Inside apps/web/src: texts <- ui <- session <- a noun's pages <- app, which lists them all. */
const isFrame = (other: string) => ['texts', 'ui', 'session'].includes(other)
const isOurPackage = (other: string) => other.startsWith('@parley/') && other !== '@parley/texts'
const webModules: Record<string, (other: string) => boolean> = {
  texts: (other) => !isFrame(other) && !isOurPackage(other),
  ui: (other) => other === 'texts' || (!isFrame(other) && other !== 'app' && !isOurPackage(other)),
  session: (other) => other !== 'app',
  noun: (other) => other !== 'app',
  app: () => true,
}

const webModuleOf = (file: string) => file.split('/')[3] ?? ''

test('the web app’s layers import downwards only: texts, ui, session, pages, app', () => {
  const wrong = product
    .filter((file) => file.startsWith('apps/web/src/'))
    .flatMap((file) => {
      const module = webModuleOf(file)
      const fits = webModules[module] ?? webModules.noun
      return importsOf(file)
        .map((name) => (isRelative(name) ? webModuleOf(fileImportedBy(file, name)) : packageOf(name)))
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

/** What theme.ts has tokens for, by how a literal of it looks. */
const literals: [what: string, inStyles: RegExp, inCode: RegExp][] = [
  [
    'colour',
    /#[\da-f]{3,8}\b|\b(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color)\((?!var\()|: [^;]*\b(?:white|black|gr[ae]y|red|green|blue|yellow|orange)\b(?!-)/gi,
    /['"`]#[\da-f]{3,8}\b|\b(?:rgba?|hsla?|oklch)\(/gi,
  ],
  ['duration', /\b\d*\.?\d+m?s\b/g, /\b(?:duration|transitionDuration|animationDuration)(?:: |=\{)[1-9]/g],
  ['shadow', /box-shadow: (?!var\(|none)/g, /\bboxShadow: (?!'var\()/g],
  [
    'type',
    /font-(?:size|weight): \d|font-family: (?!var\(|inherit)/g,
    /\b(?:fontSize|fontWeight|fontFamily): (?!'var\()/g,
  ],
  ['radius', /border(?:-[a-z-]+)?-radius: [^;]*\d(?:rem|px)/g, /\bborderRadius: (?!'var\()/g],
]

test('style sheets and components take colour, motion, type and radius from the theme', () => {
  const found = [...product, ...globSync('apps/web/src/**/*.css', { cwd: root })]
    .filter((file) => file.startsWith('apps/web/src/') && file !== 'apps/web/src/app/theme.ts')
    // The colours of a picture are its content, the same in both schemes.
    .filter((file) => file !== 'apps/web/src/room/effects/paint-picture.ts')
    .flatMap((file) => {
      const text = read(file).replaceAll(/\/\*[\s\S]*?\*\//g, '')
      return literals.flatMap(([what, inStyles, inCode]) =>
        [...text.matchAll(file.endsWith('.css') ? inStyles : inCode)].map(([literal]) => `${file}: ${what} ${literal}`),
      )
    })
  assert.deepEqual(found, [])
})

test('dates and times are entered in fields of the interface’s language, not in the browser’s own', () => {
  const native = product
    .filter((file) => file.startsWith('apps/web/src/') && !file.startsWith('apps/web/src/ui/date-time/'))
    .filter((file) => /type=(?:"|\{?')(?:date|time|datetime-local|month|week)['"]/.test(read(file)))
  assert.deepEqual(native, [])
})
