/**
 * After a refused form: the first field that is wrong gets the focus, once its error is on the page. While a dialog is
 * open, the form is in it.
 */
export function focusFirstInvalid(): void {
  requestAnimationFrame(() => {
    const scope = document.querySelector('[role="dialog"]') ?? document.querySelector('main')
    scope?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  })
}
