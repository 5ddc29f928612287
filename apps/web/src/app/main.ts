import '@mantine/core/styles.css'
import './global.css'
import './parts.css'
import './print.css'
import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { createQueryClient } from '../session/query-client.ts'
import { restoreFragment } from '../sign-in/kept-fragment.ts'
import { startI18n } from '../texts/i18n.ts'
import { Providers, publishStyleNonce } from './Providers.tsx'
import { createAppRouter } from './router.ts'

publishStyleNonce()
printInLight()
const queryClient = createQueryClient()
const root = document.querySelector('#root')
if (root === null) throw new Error('index.html has no #root')
restoreFragment()
await startI18n()
createRoot(root).render(createElement(Providers, { queryClient, router: createAppRouter(queryClient) }))

/** Print in the light scheme, whatever the screen has. */
function printInLight(): void {
  const attribute = 'data-mantine-color-scheme'
  const { documentElement } = document
  let shown: string | null = null
  addEventListener('beforeprint', () => {
    shown = documentElement.getAttribute(attribute)
    documentElement.setAttribute(attribute, 'light')
  })
  addEventListener('afterprint', () => documentElement.setAttribute(attribute, shown ?? 'light'))
}
