import { DirectionProvider, MantineProvider, useDirection } from '@mantine/core'
import { directionOf } from '@parley/texts/languages'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Toasts } from '../ui/Toasts.tsx'
import type { AppRouter } from './router.ts'
import { cssVariablesResolver, theme } from './theme.ts'

type ProvidersProps = { queryClient: QueryClient; router: AppRouter }

/** The providers of every page of the router. */
export function Providers({ queryClient, router }: ProvidersProps) {
  return (
    <PageProviders queryClient={queryClient}>
      <RouterProvider router={router} />
    </PageProviders>
  )
}

type PageProvidersProps = { queryClient: QueryClient; children?: ReactNode }

/** The providers of every page: theme, text direction, queries. */
export function PageProviders({ queryClient, children }: PageProvidersProps) {
  return (
    <QueryClientProvider client={queryClient}>
      <DirectionProvider detectDirection>
        <MantineProvider
          theme={theme}
          cssVariablesResolver={cssVariablesResolver}
          defaultColorScheme="auto"
          getStyleNonce={styleNonce}
        >
          <LanguageDirection />
          {children}
          <Toasts />
        </MantineProvider>
      </DirectionProvider>
    </QueryClientProvider>
  )
}

/** Update Mantine's text direction after a change of language. */
function LanguageDirection() {
  const { i18n } = useTranslation()
  const { setDirection } = useDirection()
  const direction = directionOf(i18n.language)
  useEffect(() => setDirection(direction), [direction, setDirection])
  return null
}

/**
 * The CSP nonce of this response, for styles that components add at run time (docs/decisions/0009). Browsers hide
 * it from the markup, so that foreign styles cannot read it; our scripts can.
 */
const styleNonce = (): string => document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''

/** The global variable in which `get-nonce` looks for it; that library locks scrolling behind dialogs. */
export const publishStyleNonce = (): void => void Object.assign(globalThis, { __webpack_nonce__: styleNonce() })
