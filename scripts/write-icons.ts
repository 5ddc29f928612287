import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { launchBrowser } from '../e2e/browser.ts'

/**
 * node scripts/write-icons.ts: draw the pictures that platforms want beside icon.svg. Run it after a change of the mark;
 * the pictures are part of the repository, because a build has no browser.
 */
const folder = fileURLToPath(new URL('../apps/server/src/service-info/', import.meta.url))
const mark = /<path .*\/>/.exec(await readFile(`${folder}icon.svg`, 'utf8'))?.[0]
if (mark === undefined) throw new Error('icon.svg has no path')

/** White on the accent. A platform may cut a circle of four fifths of the width out of it (`maskable`). */
const tile = `<rect width="32" height="32" fill="#14655a"/><g fill="#ffffff" transform="translate(8 8) scale(.5)">${mark}</g>`
const alone = `<g fill="#14655a">${mark}</g>`

const browser = await launchBrowser()
async function renderPng(content: string, size: number): Promise<Buffer> {
  const page = await browser.newPage({ viewport: { width: size, height: size } })
  await page.setContent(
    `<body style="margin:0"><svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" width="${size}" height="${size}" style="display:block">${content}</svg>`,
  )
  const picture = await page.screenshot({ omitBackground: true })
  await page.close()
  return picture
}

for (const size of [180, 192, 512]) await writeFile(`${folder}icon-${size}.png`, await renderPng(tile, size))
await writeFile(`${folder}favicon.ico`, ico(await renderPng(alone, 32), 32))
await browser.close()

/** An icon file of one PNG, which every browser reads that asks for one. */
function ico(png: Buffer, size: number): Buffer {
  const header = Buffer.alloc(22)
  header.writeUInt16LE(1, 2)
  header.writeUInt16LE(1, 4)
  header.writeUInt8(size, 6)
  header.writeUInt8(size, 7)
  header.writeUInt16LE(1, 10)
  header.writeUInt16LE(32, 12)
  header.writeUInt32LE(png.length, 14)
  header.writeUInt32LE(header.length, 18)
  return Buffer.concat([header, png])
}
