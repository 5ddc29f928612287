/**
 * Focus the first invalid field after a refused form, once its error is rendered, which for a server error is a frame
 * later. Where the refusal concerns no field, scroll to what the form says of it, which may be out of sight above the
 * button. While a dialog is open, look in the dialog.
 */
export function focusFirstInvalid(): void {
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      const scope = document.querySelector('[role="dialog"]') ?? document.querySelector('main')
      const field = scope?.querySelector<HTMLElement>(':is(input, select, textarea)[aria-invalid="true"]')
      if (field) field.focus()
      else scope?.querySelector('[role="alert"]:not(:empty)')?.scrollIntoView({ block: 'nearest' })
    }),
  )
}
