/** Where letters are typed, or where keys have a meaning of their own. A panel says so with `data-own-keys`. */
const ownKeys =
  'input, textarea, select, [contenteditable], [role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"], [data-own-keys]'

/**
 * Whether a key without Ctrl or Cmd, pressed at this place, is a shortcut of the page. Inside a panel, a dialog, a menu or
 * a text field it never is, and while a modal dialog is open it is not either, wherever the focus was lost to: whoever
 * types there must not switch the microphone on.
 */
export function allowsShortcuts(target: EventTarget | null): boolean {
  if (document.querySelector('[aria-modal="true"]') !== null) return false
  return !(target instanceof Element) || target.closest(ownKeys) === null
}

/** A sign such as / or ? needs Shift on some keyboards and not on others: what is typed counts. */
export const keysOfLayouts = (keys: string): string[] => {
  const sign = keys.replace('shift+', '')
  return /^[^\p{L}\d]$/u.test(sign) ? [sign, `shift+${sign}`] : [keys]
}
