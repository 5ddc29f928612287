/**
 * Focus the first invalid field after a refused form, once its error is rendered, which for a server error is a frame
 * later. While a dialog is open, look in the dialog.
 */
export function focusFirstInvalid(): void {
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      const scope = document.querySelector('[role="dialog"]') ?? document.querySelector('main')
      scope?.querySelector<HTMLElement>(':is(input, select, textarea)[aria-invalid="true"]')?.focus()
    }),
  )
}
