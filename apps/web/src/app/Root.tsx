import { useNetwork } from '@mantine/hooks'
import type { OrganisationLook } from '@parley/contract'
import { Outlet } from '@tanstack/react-router'
import { Suspense, useLayoutEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useLook } from '../session/organisation.ts'
import { PageSkeleton } from '../ui/PageSkeleton.tsx'
import { organisationName } from '../ui/product-name.ts'
import { Commands } from './commands/Commands.tsx'
import classes from './Root.module.css'

export function Root() {
  useOrganisationLook()
  return (
    <>
      <SkipLink />
      <OfflineBanner />
      <Suspense fallback={<PageSkeleton />}>
        <Outlet />
      </Suspense>
      <Commands />
    </>
  )
}

/** The first element in tab order. It is a button because a link would change the router's address. */
function SkipLink() {
  const { t } = useTranslation()
  return (
    <button type="button" className={classes.skip} onClick={() => document.querySelector('main')?.focus()}>
      {t('skip')}
    </button>
  )
}

/** Report a lost connection. TanStack Query pauses reads by itself. */
function OfflineBanner() {
  const { t } = useTranslation()
  const { online } = useNetwork()
  return (
    <div role="status">
      {online ? null : (
        <p className={classes.banner} data-offline>
          {t('offline')}
        </p>
      )}
    </div>
  )
}

type Colours = NonNullable<OrganisationLook['colours']>
type Shades = Colours['light']

const sheet = new CSSStyleSheet()

/** Put the name and the colours of an organisation in place of the product's. */
function useOrganisationLook(): void {
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
