/**
 * After a refused form: the first field that is wrong gets the focus, once its error is on the page, which is a frame
 * later when the service has refused it. While a dialog is open, the form is in it.
 */
export function focusFirstInvalid(): void {
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      const scope = document.querySelector('[role="dialog"]') ?? document.querySelector('main')
      scope?.querySelector<HTMLElement>(':is(input, select, textarea)[aria-invalid="true"]')?.focus()
    }),
  )
}
