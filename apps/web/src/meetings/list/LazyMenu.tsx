import { cloneElement, type ReactElement, type ReactNode, Suspense, useEffect, useState } from 'react'

type Button = ReactElement<{
  onClick?(): void
  autoFocus?: boolean
  'aria-haspopup'?: 'menu'
  'aria-expanded'?: boolean
}>

type LazyMenuProps = {
  button: Button
  /** The menu, with the button as its target; it opens by `useOpenOnMount`. */
  menu(target: Button): ReactNode
}

/** A button whose menu is fetched at the first click: a list has one in each row. */
export function LazyMenu({ button, menu }: LazyMenuProps) {
  const [wanted, setWanted] = useState(false)
  const closed = cloneElement(button, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onClick: () => setWanted(true),
  })
  return wanted ? <Suspense fallback={closed}>{menu(cloneElement(button, { autoFocus: true }))}</Suspense> : closed
}

/** Open a menu when it is mounted. Its button has the focus then, and gets it back when the menu closes. */
export function useOpenOnMount() {
  const [opened, onChange] = useState(false)
  useEffect(() => onChange(true), [])
  return { opened, onChange }
}
