/** A busy machine renders an error later than with the next frame. */
const rendersWithinMs = 1_000

/**
 * Focus the first invalid field after a refused form, once its error is rendered, which for a server error is a frame
 * later at the earliest. Where the refusal concerns no field, scroll to what the form says of it, which may be out of
 * sight above the button. While a dialog is open, look in the dialog.
 */
export function focusFirstInvalid(): void {
  requestAnimationFrame((startedAt) => {
    const find = (now: number) => {
      const scope = document.querySelector('[role="dialog"]') ?? document.querySelector('main')
      const field = scope?.querySelector<HTMLElement>(':is(input, select, textarea)[aria-invalid="true"]')
      const alert = scope?.querySelector('[role="alert"]:not(:empty)')
      if (field) field.focus()
      else if (alert) alert.scrollIntoView({ block: 'nearest' })
      else if (now < startedAt + rendersWithinMs) requestAnimationFrame(find)
    }
    requestAnimationFrame(find)
  })
}
