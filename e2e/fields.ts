import type { Locator } from 'playwright-core'

/** Replace the text of a field of a date, a time or an end, and leave the field, as a person does. */
export async function typeInto(field: Locator, text: string): Promise<void> {
  // A list below it has the same name while it is open.
  const input = field.and(field.page().locator('input'))
  await input.click()
  await input.press('ControlOrMeta+a')
  await input.pressSequentially(text)
  await input.press('Tab')
}
