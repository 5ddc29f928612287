import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
} from '@mantine/core'

/**
 * The tokens of the look: colours, type, space, radii, shadows and motion. Style sheets and components use them by name
 * and have no literals of their own (test/source/web-architecture.test.ts). The colours are those of the server-rendered pages
 * (apps/server/src/server-pages/base-style.css, page-style.css). parts.css has the look of Mantine's parts; `/design`
 * of `npm run dev` shows everything.
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
  '#848f89',
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

const headingWeight = '600'

/** What covers the page from an edge slides in. */
const sliding = { defaultProps: { transitionProps: { duration: 160, timingFunction: 'ease-out' } } }

/** Layers (dialogs, menus, hints) appear where they are, with a small rise. Mantine leaves it out with reduced motion. */
const appearing = {
  transition: {
    in: { opacity: 1, transform: 'translateY(0)' },
    out: { opacity: 0, transform: 'translateY(0.25rem)' },
    transitionProperty: 'opacity, transform',
  },
  duration: 140,
  timingFunction: 'ease-out',
}

/** Controls have the size of the text around them; Mantine's default size, `sm`, is here that of labels. */
const ofControl = (size: string | undefined) =>
  size === undefined || size === 'sm' || size === 'md' ? 'var(--mantine-font-size-md)' : undefined

type Sized = { size?: string }

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
  // The server declares both: apps/server/src/platform/http/fonts.ts.
  fontFamily:
    '"Parley", "Parley Fallback", system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "Cascadia Mono", "Liberation Mono", Menlo, monospace',
  // md is the text, sm labels and secondary text, caption what stands below or beside.
  fontSizes: {
    '2xs': '0.6875rem',
    xs: '0.75rem',
    caption: '0.75rem',
    sm: '0.8125rem',
    md: '0.875rem',
    lg: '1rem',
    xl: '1.125rem',
    '2xl': '1.25rem',
    '3xl': '1.5rem',
    '4xl': '2.5rem',
  },
  // Bold once a row: a name or a title is `medium` or `heading`, the rest `regular`.
  fontWeights: { regular: '400', medium: '500', bold: '600', heading: headingWeight },
  headings: {
    fontWeight: headingWeight,
    sizes: {
      h1: { fontSize: '1.5rem', lineHeight: '1.25' },
      h2: { fontSize: '1.125rem', lineHeight: '1.35' },
      h3: { fontSize: '1rem', lineHeight: '1.4' },
      h4: { fontSize: '1rem', lineHeight: '1.4' },
      h5: { fontSize: '0.875rem', lineHeight: '1.45' },
      h6: { fontSize: '0.8125rem', lineHeight: '1.45' },
    },
  },
  // Steps of 4 px.
  spacing: { '2xs': '0.25rem', xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.25rem', xl: '2rem', '2xl': '3rem' },
  // Two levels: what lies on the page, and what covers it.
  shadows: {
    xs: 'var(--parley-shadow-raised)',
    sm: 'var(--parley-shadow-raised)',
    md: 'var(--parley-shadow-overlay)',
    lg: 'var(--parley-shadow-overlay)',
    xl: 'var(--parley-shadow-overlay)',
  },
  defaultRadius: 'md',
  radius: { md: '0.5rem', lg: '0.75rem', pill: '1rem', round: '1.5rem' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Button: { vars: (_theme: unknown, { size }: Sized) => ({ root: { '--button-fz': ofControl(size) } }) },
    Input: { vars: (_theme: unknown, { size }: Sized) => ({ wrapper: { '--input-fz': ofControl(size) } }) },
    Modal: { defaultProps: { centered: true, transitionProps: appearing } },
    Drawer: sliding,
    DrawerRoot: sliding,
    Menu: { defaultProps: { shadow: 'md', transitionProps: appearing } },
    Popover: { defaultProps: { shadow: 'md', transitionProps: appearing } },
    Combobox: { defaultProps: { shadow: 'md', transitionProps: appearing } },
    HoverCard: { defaultProps: { shadow: 'md', transitionProps: appearing } },
    Tooltip: { defaultProps: { transitionProps: appearing, openDelay: 300 } },
    Loader: { defaultProps: { type: 'dots' } },
    SegmentedControl: {
      defaultProps: { withItemsBorders: false, transitionDuration: 140, transitionTimingFunction: 'ease-out' },
    },
    // Mantine renders `header` elements, which are banner landmarks outside of `main`.
    ModalHeader: { defaultProps: { role: 'none' } },
    DrawerHeader: { defaultProps: { role: 'none' } },
  },
})

const white = '#ffffff'

/** The caution tones stand beside Mantine's colours, which have none for text on a tinted surface. */
const caution = { edge: '#b98a1b', light: '#fdf3d8', dark: '#2e2713', textOnLight: '#6b4700', textOnDark: '#f0d48a' }

/** The colours of each scheme, as variables `--parley-{name}`. */
const schemes = {
  light: {
    ground: gray[0],
    surface: white,
    line: gray[3],
    // Around buttons and layers, which their text or shadow shows as well.
    border: gray[4],
    // Around fields and boxes to tick: 3:1 to the surface and the ground (WCAG 2.2, 1.4.11).
    edge: gray[5],
    track: gray[2],
    thumb: white,
    'shadow-raised': '0 1px 2px rgb(27 36 32 / 8%)',
    'shadow-overlay': '0 0 0 1px rgb(27 36 32 / 4%), 0 4px 8px rgb(27 36 32 / 6%), 0 12px 32px rgb(27 36 32 / 14%)',
    danger: red[7],
    accent: accent[7],
    'on-filled': white,
    hover: gray[2],
    selected: accent[1],
    'good-surface': accent[0],
    'good-text': accent[8],
    'caution-surface': caution.light,
    'caution-text': caution.textOnLight,
    'danger-surface': red[0],
    'danger-text': red[8],
    'tool-hover': gray[2],
    'tool-on-hover': accent[8],
    'tool-off': red[0],
    'tool-off-text': red[8],
    'tool-danger': red[7],
    'tool-danger-edge': red[7],
    // Lightness and chroma of a colour whose hue is an item's own (ui/hue.ts): `oklch(var(--parley-hue-edge) var(--hue))`.
    'hue-edge': '0.55 0.11',
    'hue-surface': '0.93 0.045',
    'hue-text': '0.36 0.08',
  },
  dark: {
    ground: dark[9],
    surface: dark[7],
    line: dark[5],
    border: dark[4],
    edge: '#6f7b75',
    track: dark[8],
    thumb: dark[5],
    'shadow-raised': '0 1px 2px rgb(0 0 0 / 40%)',
    'shadow-overlay': '0 0 0 1px rgb(0 0 0 / 30%), 0 4px 8px rgb(0 0 0 / 30%), 0 12px 32px rgb(0 0 0 / 50%)',
    danger: red[3],
    accent: accent[4],
    'on-filled': accent[9],
    hover: dark[6],
    selected: accent[8],
    'good-surface': accent[9],
    'good-text': accent[3],
    'caution-surface': caution.dark,
    'caution-text': caution.textOnDark,
    'danger-surface': red[9],
    'danger-text': red[2],
    'tool-hover': dark[6],
    'tool-on-hover': accent[3],
    'tool-off': red[9],
    'tool-off-text': red[2],
    'tool-danger': red[6],
    'tool-danger-edge': red[5],
    'hue-edge': '0.75 0.1',
    'hue-surface': '0.36 0.06',
    'hue-text': '0.95 0.03',
  },
}

/** The stage of a room is dark in both schemes; room/stage-colors.module.css puts these in place of the scheme's. */
const stage = {
  stage: dark[9],
  'stage-text': dark[0],
  'stage-muted': dark[2],
  'stage-surface': schemes.dark.surface,
  'stage-line': schemes.dark.line,
  'stage-edge': schemes.dark.edge,
  'stage-danger': schemes.dark.danger,
  'stage-accent': schemes.dark.accent,
  'stage-on-filled': schemes.dark['on-filled'],
  'stage-tool-hover': '#2a3430',
  'stage-tool-on-hover': schemes.dark['tool-on-hover'],
  'stage-tool-off': schemes.dark['tool-off'],
  'stage-tool-off-text': schemes.dark['tool-off-text'],
  'stage-tool-danger': schemes.dark['tool-danger'],
  'stage-tool-danger-edge': schemes.dark['tool-danger-edge'],
  tile: '#2b3631',
  'tile-shared': '#1e2724',
  speaking: accent[4],
  label: dark[9],
  'label-text': white,
  'label-hover': gray[8],
  hand: caution.textOnDark,
  'hand-text': caution.dark,
}

/** The same in both schemes. */
const constants = {
  ...stage,
  'caution-edge': caution.edge,
  'danger-hover': red[8],
  'on-danger': white,
  // Dark enough for white text in every hue (WCAG 2.2, 1.4.3).
  'hue-portrait': '0.45 0.09',
  'on-portrait': white,
  // Around a tile that lies on another one.
  'shadow-cutout': `0 0 0 2px ${dark[9]}`,
  // Layers and moves; the theme gives Mantine's own the same.
  motion: '140ms ease-out',
  'motion-appear': '300ms ease-out',
  // An event that is over.
  'opacity-past': '0.6',
  // Behind a logo that is made for light pages.
  plate: white,
  'plate-text': gray[9],
  'plate-accent': accent[7],
}

const prefixed = (tokens: Record<string, string>) =>
  Object.fromEntries(Object.entries(tokens).map(([name, value]) => [`--parley-${name}`, value]))

function variables(scheme: 'light' | 'dark') {
  const { surface, border, danger, accent: anchor, 'on-filled': onFilled } = schemes[scheme]
  const muted = scheme === 'light' ? gray[7] : dark[2]
  return {
    ...prefixed(schemes[scheme]),
    // Mantine darkens on hover; dark text needs a lighter background.
    ...(scheme === 'dark' && {
      '--mantine-primary-color-filled-hover': accent[3],
      '--mantine-color-accent-filled-hover': accent[3],
      '--mantine-color-red-filled-hover': red[2],
    }),
    '--mantine-primary-color-contrast': onFilled,
    '--mantine-color-body': surface,
    '--mantine-color-dimmed': muted,
    '--mantine-color-placeholder': muted,
    '--mantine-color-error': danger,
    '--mantine-color-default-border': border,
    '--mantine-color-anchor': anchor,
  }
}

export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: prefixed(constants),
  light: variables('light'),
  dark: variables('dark'),
})
