import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/start-app.ts'
import { fontFaces, fontPreload } from './fonts.ts'

const app = await startApp()

test('serves every font that the style sheet names, to keep for a year', async () => {
  const reply = await fetch(`${app.base}/fonts.css`)
  assert.equal(reply.headers.get('content-type'), 'text/css; charset=utf-8')
  assert.equal(await reply.text(), fontFaces)
  const paths = [...fontFaces.matchAll(/url\(([^)]+)\)/g)].map(([, path]) => path)
  assert.equal(paths.length, 8)
  for (const path of paths) {
    const font = await fetch(app.base + path)
    assert.deepEqual([font.status, font.headers.get('content-type')], [200, 'font/woff2'])
    assert.match(font.headers.get('cache-control') ?? '', /max-age=31536000, immutable/)
    assert.equal(Buffer.from(await font.arrayBuffer()).toString('latin1', 0, 4), 'wOF2')
  }
})

test('states a range of characters for every font, and the same weights', () => {
  const declared = fontFaces.split('@font-face').filter((face) => face.includes('"Parley";'))
  for (const face of declared) {
    assert.match(face, /unicode-range: U\+/)
    assert.match(face, /font-weight: 400 700;/)
  }
})

test('preloads the font of the reader’s script', () => {
  assert.match(fontPreload('de'), /^<\/fonts\/figtree-latin\.woff2>; rel=preload; as=font; .*crossorigin$/)
  assert.match(fontPreload('ar'), /vazirmatn-arabic/)
  assert.match(fontPreload('hi'), /noto-sans-devanagari-devanagari/)
})
