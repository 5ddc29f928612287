import type { OrganisationLook } from '@parley/contract'
import { useLayoutEffect } from 'react'
import { useLook } from '../session/organisation.ts'
import { organisationName } from '../ui/product-name.ts'

type Colours = NonNullable<OrganisationLook['colours']>
type Shades = Colours['light']

const sheet = new CSSStyleSheet()

/** Put the name and the colours of an organisation in place of the product's. */
export function useOrganisationLook(): void {
  const look = useLook()
  useLayoutEffect(() => {
    organisationName.replace(look?.name ?? '')
    sheet.replaceSync(look?.colours ? rules(look.colours) : '')
    document.adoptedStyleSheets = [sheet]
  }, [look])
}

/** The tokens of theme.ts that are made of the accent; the stage of a room is dark in both schemes. */
const rules = ({ light, dark }: Colours) => `:root{
--parley-stage-accent:${dark.accent};--parley-stage-on-filled:${dark.onAccent};--parley-stage-tool-on-hover:${dark.hover};--parley-speaking:${dark.accent}}
${scheme('light', light)}${scheme('dark', dark)}`

const scheme = (name: string, { accent, hover, tint, onAccent }: Shades) => `:root[data-mantine-color-scheme="${name}"]{
--parley-accent:${accent};--parley-on-filled:${onAccent};--parley-selected:${tint};--parley-tool-on-hover:${hover};
--mantine-color-anchor:${accent};--mantine-primary-color-contrast:${onAccent};
--mantine-color-accent-filled:${accent};--mantine-color-accent-filled-hover:${hover};--mantine-primary-color-filled-hover:${hover};
--mantine-color-accent-text:${accent};--mantine-color-accent-light:${tint};--mantine-color-accent-light-hover:${tint};
--mantine-color-accent-light-color:${accent};--mantine-color-accent-outline:${accent}}`
