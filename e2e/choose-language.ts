import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { clickWhereSeen } from './real-input.ts'

/** Open the menu of language and appearance, choose a language by its code or its own name, and close the menu. */
export async function chooseLanguage(page: Page, language: string): Promise<void> {
  const menu = page.locator('aside summary')
  // An administrator's menu may be higher than the window.
  await menu.scrollIntoViewIfNeeded()
  await clickWhereSeen(menu)
  await page.locator('aside').getByRole('combobox').first().selectOption(language)
  await page.keyboard.press('Escape')
  assert.equal(await page.locator('aside details').getAttribute('open'), null, 'Escape closes the menu')
  assert.equal(await menu.evaluate((at: Element) => at === document.activeElement), true, 'and leaves the focus on it')
}
