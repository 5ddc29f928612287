/** Elements that accept text or have their own keys. A panel sets `data-own-keys`. */
const ownKeys =
  'input, textarea, select, [contenteditable], [role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"], [data-own-keys]'

/**
 * Whether a key without Ctrl or Cmd, pressed on this element, is a shortcut of the page. It is not inside a panel, a
 * dialog, a menu or a text field, and not while a modal dialog is open, even after the focus was lost: text typed there
 * must not switch the microphone on.
 */
export function allowsShortcuts(target: EventTarget | null): boolean {
  if (document.querySelector('[aria-modal="true"]') !== null) return false
  return !(target instanceof Element) || target.closest(ownKeys) === null
}

/** Characters such as / or ? need Shift on some keyboards only, so the typed character counts. */
export const keysOfLayouts = (keys: string): string[] => {
  const sign = keys.replace('shift+', '')
  return /^[^\p{L}\d]$/u.test(sign) ? [sign, `shift+${sign}`] : [keys]
}
