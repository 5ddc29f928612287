/** After a refused form: the first field that is wrong gets the focus, once its error is on the page. */
export function focusFirstInvalid(): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>('main [aria-invalid="true"]')?.focus())
}
