import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'

type Box = { x: number; y: number; width: number; height: number }

/** Interval of the position checks of a moving element. */
const movesMs = 60

/** The position of an element once it stops moving, without scrolling to it. */
async function boxOf(locator: Locator): Promise<Box> {
  await locator.waitFor()
  for (let before = ''; ; ) {
    const box = await locator.boundingBox()
    assert.ok(box, `${locator} has no box`)
    if (JSON.stringify(box) === before) return box
    before = JSON.stringify(box)
    await locator.page().waitForTimeout(movesMs)
  }
}

const centreOf = ({ x, y, width, height }: Box) => ({ x: x + width / 2, y: y + height / 2 })

/** How long a busy machine may take to scroll to an element or to remove what covers it. */
const settlesMs = 3_000

/** Fail unless the whole element is, or soon comes to be, in the viewport and the topmost one at its centre. */
export async function isInSight(locator: Locator): Promise<void> {
  const endsAt = Date.now() + settlesMs
  for (;;) {
    try {
      return await assertInSight(locator)
    } catch (error) {
      if (!(error instanceof assert.AssertionError) || Date.now() > endsAt) throw error
      await locator.page().waitForTimeout(movesMs)
    }
  }
}

async function assertInSight(locator: Locator): Promise<void> {
  const box = await boxOf(locator)
  const window = await locator.page().evaluate(() => ({ width: innerWidth, height: innerHeight }))
  const isOnScreen =
    box.x >= -0.5 &&
    box.y >= -0.5 &&
    box.x + box.width <= window.width + 0.5 &&
    box.y + box.height <= window.height + 0.5
  assert.ok(isOnScreen, `${locator} is cut off: ${JSON.stringify({ box, window })}`)
  const hit = await locator.evaluate((element, { x, y }) => {
    const found = document.elementFromPoint(x, y)
    if (found === null) return 'nothing'
    // The input of a switch is above its own label.
    const isItsControl =
      found instanceof HTMLInputElement &&
      [...(found.labels ?? [])].some((one) => one.contains(element) || element.contains(one))
    return element.contains(found) || found.contains(element) || isItsControl ? '' : found.outerHTML
  }, centreOf(box))
  assert.equal(hit, '', `${locator} is covered by ${hit.slice(0, 200)}`)
}

/** Click at the visible centre of an element, as a person does. */
export async function clickWhereSeen(locator: Locator): Promise<void> {
  await isInSight(locator)
  const { x, y } = centreOf(await boxOf(locator))
  await locator.page().mouse.click(x, y)
}

/** The accessible name of the focused element. */
export const focusedName = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const focused = document.activeElement
    return focused?.getAttribute('aria-label') ?? focused?.textContent ?? ''
  })

/** Describe the overlaps between two groups of elements; empty when there are none. */
export async function overlaps(page: Page, these: string, those: string): Promise<string[]> {
  return page.evaluate(
    ([one, other]) => {
      const boxes = (selector: string) =>
        [...document.querySelectorAll(selector)]
          .map((element) => ({ element, box: element.getBoundingClientRect() }))
          .filter(({ box }) => box.width > 0 && box.height > 0)
      return boxes(one).flatMap((a) =>
        boxes(other)
          .filter(
            ({ box }) =>
              a.box.left < box.right && box.left < a.box.right && a.box.top < box.bottom && box.top < a.box.bottom,
          )
          .map((b) => `${a.element.textContent} covers ${b.element.textContent ?? b.element.tagName}`),
      )
    },
    [these, those] as const,
  )
}
