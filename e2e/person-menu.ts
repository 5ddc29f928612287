import type { Page } from 'playwright-core'
import { clickWhereSeen } from './real-input.ts'

const button = (page: Page) => page.locator('header [aria-haspopup=menu]')

/** Open the menu of the signed-in person, whatever its language. */
export async function openPersonMenu(page: Page): Promise<void> {
  await clickWhereSeen(button(page))
  await page.getByRole('menu').waitFor()
}

/** Choose an entry of the menu of the signed-in person. */
export async function chooseInPersonMenu(page: Page, name: string): Promise<void> {
  await openPersonMenu(page)
  await clickWhereSeen(page.getByRole('menuitem', { name, exact: true }))
}

/** Choose the language of the pages by its code or its own name, in the menu of the signed-in person. */
export async function chooseLanguage(page: Page, language: string): Promise<void> {
  await openPersonMenu(page)
  await clickWhereSeen(page.getByRole('menuitem').filter({ has: page.locator('[lang]') }))
  const named = page.getByRole('menuitemradio', { name: language, exact: true })
  await clickWhereSeen(page.locator(`[role=menuitemradio][lang="${language}"]`).or(named))
  await page.getByRole('menu').waitFor({ state: 'detached' })
  // The focus returns, a moment after the menu has gone.
  await page.locator('header [aria-haspopup=menu]:focus').waitFor()
}
