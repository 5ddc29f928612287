import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
} from '@mantine/core'

/**
 * The colours of the server-rendered pages (apps/server/src/server-pages/base-style.css, page-style.css) as a Mantine
 * theme.
 */
const accent: MantineColorsTuple = [
  '#eaf6f3',
  '#d2ebe5',
  '#a9d9ce',
  '#8fdacb',
  '#6cc9b8',
  '#2f8f80',
  '#1c7a6c',
  '#14655a',
  '#0d4d44',
  '#06231d',
]
const gray: MantineColorsTuple = [
  '#f4f5f3',
  '#edefec',
  '#e3e7e3',
  '#d9deda',
  '#b9c2bd',
  '#7c8882',
  '#66726c',
  '#55615b',
  '#38433e',
  '#1b2420',
]
const dark: MantineColorsTuple = [
  '#e6ebe8',
  '#c4cdc8',
  '#a3afa9',
  '#7b8781',
  '#4a5650',
  '#313b36',
  '#222a27',
  '#19201d',
  '#141a18',
  '#101513',
]
const red: MantineColorsTuple = [
  '#fcedea',
  '#f8d9d4',
  '#f5b9b1',
  '#f2988c',
  '#f2988c',
  '#d0503f',
  '#b93a2b',
  '#a5281b',
  '#8a1f14',
  '#331b18',
]

export const theme = createTheme({
  colors: { accent, gray, dark, red },
  primaryColor: 'accent',
  primaryShade: { light: 7, dark: 4 },
  // Filled is dark under light text in the light scheme and the reverse in the dark scheme; Mantine computes the light
  // scheme only.
  variantColorResolver: (input) => {
    const colors = defaultVariantColorsResolver(input)
    return input.variant === 'filled' ? { ...colors, color: 'var(--parley-on-filled)' } : colors
  },
  black: '#1b2420',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "Cascadia Mono", "Liberation Mono", Menlo, monospace',
  headings: { fontWeight: '650', sizes: { h1: { fontSize: '1.75rem', lineHeight: '1.25' } } },
  defaultRadius: 'md',
  radius: { md: '0.5rem', lg: '0.75rem' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Modal: { defaultProps: { centered: true } },
    // Mantine renders `header` elements, which are banner landmarks outside of `main`.
    ModalHeader: { defaultProps: { role: 'none' } },
    DrawerHeader: { defaultProps: { role: 'none' } },
  },
})

const surfaces = {
  light: {
    ground: '#f4f5f3',
    surface: '#ffffff',
    line: '#d9deda',
    edge: '#7c8882',
    muted: '#55615b',
    danger: '#a5281b',
  },
  dark: {
    ground: '#101513',
    surface: '#19201d',
    line: '#313b36',
    edge: '#7b8781',
    muted: '#a3afa9',
    danger: '#f2988c',
  },
}

function variables(scheme: 'light' | 'dark') {
  const { ground, surface, line, edge, muted, danger } = surfaces[scheme]
  return {
    '--parley-ground': ground,
    '--parley-surface': surface,
    '--parley-line': line,
    '--parley-edge': edge,
    '--parley-danger': danger,
    '--parley-accent': accent[scheme === 'light' ? 7 : 4],
    '--parley-on-filled': scheme === 'light' ? '#ffffff' : '#06231d',
    // Mantine darkens on hover; dark text needs a lighter background.
    ...(scheme === 'dark' && {
      '--mantine-primary-color-filled-hover': accent[3],
      '--mantine-color-accent-filled-hover': accent[3],
      '--mantine-color-red-filled-hover': red[2],
    }),
    '--mantine-primary-color-contrast': scheme === 'light' ? '#ffffff' : '#06231d',
    '--mantine-color-body': surface,
    '--mantine-color-dimmed': muted,
    '--mantine-color-placeholder': muted,
    '--mantine-color-error': danger,
    '--mantine-color-default-border': edge,
    '--mantine-color-anchor': accent[scheme === 'light' ? 7 : 4],
  }
}

export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: variables('light'),
  dark: variables('dark'),
})
