import { useComputedColorScheme } from '@mantine/core'
import type { OrganisationLook } from '@parley/contract'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useLook } from '../session/organisation.ts'
import classes from './Brand.module.css'

type BrandProps = {
  /** On phones, a logo is shown without the name. */
  isCompact?: boolean
}

/** The logo and the name of the organisation; the product's where it has set neither. */
export function Brand({ isCompact }: BrandProps) {
  const { t } = useTranslation()
  const { name = '', logos } = useLook() ?? {}
  const isNamed = name !== '' || logos?.light === null
  const product = name || t('product')
  return (
    <Link to="/" className={classes.brand} data-compact={isCompact || undefined}>
      {logos?.light ? (
        <Logo logos={logos} alternative={isNamed ? '' : product} />
      ) : (
        name === '' && <span className={classes.mark} aria-hidden />
      )}
      {(isNamed || logos === undefined) && (
        <span className={classes.name} dir="auto">
          {product}
        </span>
      )}
    </Link>
  )
}

type LogoProps = { logos: OrganisationLook['logos']; alternative: string }

function Logo({ logos: { light, dark }, alternative }: LogoProps) {
  const isDark = useComputedColorScheme('light') === 'dark'
  const logo = isDark ? (dark ?? light) : light
  if (logo === null) return null
  const { url, width, height } = logo
  return (
    <img
      className={classes.logo}
      data-plate={(isDark && dark === null) || undefined}
      src={url}
      alt={alternative}
      width={width}
      height={height}
    />
  )
}
