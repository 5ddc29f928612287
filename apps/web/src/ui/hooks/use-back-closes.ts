import { useBlocker } from '@tanstack/react-router'

/**
 * Back closes a dialog, and the page below it stays: on a phone, Back is the way out of anything that covers the page.
 * The first page of a tab is left all the same, because the browser reports no Back there.
 */
export function useBackCloses(onClose: () => void, isOpen = true): void {
  useBlocker({
    shouldBlockFn: ({ action }) => {
      if (action !== 'BACK') return false
      onClose()
      return true
    },
    enableBeforeUnload: false,
    disabled: !isOpen,
  })
}
