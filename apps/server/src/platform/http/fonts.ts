import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Language } from '@parley/texts/languages'
import type { FastifyInstance } from 'fastify'
import { makeStaticFile, sendStaticFile } from './static-file.ts'

/**
 * The face of all pages: one family, whose scripts come from several designs that go together
 * (docs/decisions/0168-the-typeface.md). A browser fetches only the files of the scripts that a page contains.
 * Of two faces for one character the later one is used, so Latin stands behind those that repeat its punctuation.
 */
const faces = [
  { design: 'noto-sans-devanagari', script: 'devanagari' },
  { design: 'vazirmatn', script: 'arabic' },
  { design: 'manrope', script: 'vietnamese' },
  { design: 'manrope', script: 'greek' },
  { design: 'manrope', script: 'cyrillic-ext' },
  { design: 'manrope', script: 'cyrillic' },
  { design: 'figtree', script: 'latin-ext' },
  { design: 'figtree', script: 'latin' },
] as const

const require = createRequire(import.meta.url)

const fonts = faces.map(({ design, script }) => {
  const folder = dirname(require.resolve(`@fontsource-variable/${design}/package.json`))
  const ranges = JSON.parse(readFileSync(join(folder, 'unicode.json'), 'utf8')) as Record<string, string>
  const bytes = readFileSync(join(folder, `files/${design}-${script}-wght-normal.woff2`))
  return { path: `/fonts/${design}-${script}.woff2`, script, range: ranges[script], bytes }
})

/**
 * Arial, or what takes its place, at the widths and heights of Figtree: text that appears before the fonts have
 * arrived stays where it is when they do.
 */
const fallback = (weight: string, sizeAdjust: number, names: readonly string[]) => `@font-face {
  font-family: "Parley Fallback";
  font-weight: ${weight};
  src: ${names.map((name) => `local("${name}")`).join(', ')};
  size-adjust: ${(sizeAdjust * 100).toFixed(1)}%;
  ascent-override: ${(95 / sizeAdjust).toFixed(1)}%;
  descent-override: ${(25 / sizeAdjust).toFixed(1)}%;
  line-gap-override: 0%;
}
`

/** The style sheet that declares the family "Parley". All of its faces state the same weights, or they would not join. */
export const fontFaces: string = [
  ...fonts.map(
    ({ path, range }) => `@font-face {
  font-family: "Parley";
  font-display: swap;
  font-weight: 400 700;
  src: url(${path}) format("woff2");
  unicode-range: ${range};
}
`,
  ),
  fallback('400', 1.004, ['Arial', 'Liberation Sans', 'ArialMT']),
  fallback('500 700', 0.955, ['Arial Bold', 'Liberation Sans Bold', 'Arial-BoldMT']),
].join('')

const scriptOf = (language: Language) => {
  if (language === 'ar') return 'arabic'
  return language === 'hi' ? 'devanagari' : 'latin'
}

/** The value of `Link` that has a browser fetch the font of the reader's script before it has laid out the page. */
export function fontPreload(language: Language): string {
  const font = fonts.find(({ script }) => script === scriptOf(language))
  return `<${font?.path}>; rel=preload; as=font; type="font/woff2"; crossorigin`
}

/** A later version of a design under the same address would be as readable as this one. */
const fontMaxAgeSeconds = 365 * 24 * 60 * 60

/** Serve the fonts, and the style sheet that declares them to the pages that Vite builds. */
export function serveFonts(http: FastifyInstance): void {
  const sheet = makeStaticFile(Buffer.from(fontFaces), 'text/css; charset=utf-8', 'public, max-age=3600')
  http.get('/fonts.css', (request, reply) => sendStaticFile(request, reply, sheet))
  for (const { path, bytes } of fonts) {
    // Not by sendStaticFile: WOFF2 is compressed already.
    http.get(path, (_request, reply) =>
      reply
        .headers({ 'cache-control': `public, max-age=${fontMaxAgeSeconds}, immutable` })
        .type('font/woff2')
        .send(bytes),
    )
  }
}
