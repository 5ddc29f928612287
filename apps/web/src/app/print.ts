import './print.css'

const attribute = 'data-mantine-color-scheme'

/** Print in the light scheme, whatever the screen has. */
export function printInLight(): void {
  const root = document.documentElement
  let shown: string | null = null
  addEventListener('beforeprint', () => {
    shown = root.getAttribute(attribute)
    root.setAttribute(attribute, 'light')
  })
  addEventListener('afterprint', () => root.setAttribute(attribute, shown ?? 'light'))
}
