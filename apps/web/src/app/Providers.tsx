import { DirectionProvider, MantineProvider, useDirection } from '@mantine/core'
import { directionOf } from '@parley/texts/languages'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Toasts } from '../ui/Toasts.tsx'
import type { AppRouter } from './router.ts'
import { styleNonce } from './style-nonce.ts'
import { cssVariablesResolver, theme } from './theme.ts'

type ProvidersProps = { queryClient: QueryClient; router: AppRouter }

/** The providers of every page: theme, text direction, queries, router. */
export function Providers({ queryClient, router }: ProvidersProps) {
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
          <RouterProvider router={router} />
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
