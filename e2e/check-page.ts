import assert from 'node:assert/strict'
import { mkdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

/** Uploaded by CI, ignored by git. */
const screenshots = join(import.meta.dirname, 'screenshots')
const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const heightPixels = 900
/** Chromium captures no higher screenshots reliably; of a longer page, only the first window is captured. */
const maxScreenshotPixels = 16_000

type Variant = { width: number; scheme: 'light' | 'dark' }

/** By width, because a change of the scheme costs less than a layout. */
const allVariants: readonly Variant[] = [360, 768, 1440].flatMap((width) =>
  (['light', 'dark'] as const).map((scheme) => ({ width, scheme })),
)
/** Each width and each scheme once or twice, which keeps `npm test` short. CI sets LOOKS=all. */
const someVariants = allVariants.filter(({ width, scheme }) => (scheme === 'light') === (width === 360))
const variants = process.env.LOOKS === 'all' ? allVariants : someVariants
/** CI needs pictures of what fails only: capturing a page takes as long as checking it. */
const savesAll = process.env.SCREENSHOTS !== 'failed'

/** WCAG 2.2, A and AA. */
const allRules = { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] }
/** Those of these rules that look at colors, which are all that another scheme changes. */
const rulesOfColors = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] }

/**
 * Check the current page at three widths, and with LOOKS=all each of them in light and in dark: axe finds no
 * violations, and the page does not scroll sideways. The second scheme of a width is checked by the rules of colors. Save a screenshot of each as `{name}-{width}-{scheme}.png`; with
 * SCREENSHOTS=failed only of those where something is wrong.
 */
export async function checkPage(page: Page, name: string): Promise<void> {
  const before = page.viewportSize()
  await mkdir(screenshots, { recursive: true })
  const found: string[] = []
  let checkedWidth: number | undefined
  for (const { width, scheme } of variants) {
    await page.emulateMedia({ colorScheme: scheme })
    const { width: lastWidth, height } = page.viewportSize() ?? {}
    if (width !== lastWidth || height !== heightPixels) {
      await page.setViewportSize({ width, height: heightPixels })
      // An anchored layer follows what it belongs to a frame later.
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
    }
    // Scrolled content is covered by the sticky header, for axe as well as in the screenshot.
    await page.evaluate(() => scrollTo(0, 0))
    const where = `${name}-${width}-${scheme}`
    const wrong = await violations(page, width === checkedWidth ? rulesOfColors : allRules)
    checkedWidth = width
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    if (overflow > 0) wrong.push(`${overflow} pixels too wide`)
    found.push(...wrong.map((what) => `${where}: ${what}`))
    if (!savesAll && wrong.length === 0) continue
    const pageHeight = await page.evaluate(() => document.documentElement.scrollHeight)
    const fullPage = pageHeight <= maxScreenshotPixels
    await page.screenshot({ path: join(screenshots, `${where}.png`), fullPage })
  }
  await page.emulateMedia({ colorScheme: null })
  if (before !== null) await page.setViewportSize(before)
  assert.deepEqual(found, [])
}

/** Evaluated through the debugger, so that the page's CSP stays unchanged. */
export async function violations(page: Page, rules = allRules): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe)
  const results = await page.evaluate<AxeResults, typeof allRules>(
    (runOnly) => Object(globalThis).axe.run({ runOnly, resultTypes: ['violations'] }),
    rules,
  )
  return results.violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ target, failureSummary = '' }) => `${id} ${target.join(' ')}: ${failureSummary.replaceAll('\n', ' ')}`,
    ),
  )
}
