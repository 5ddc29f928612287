import { IconArrowLeft } from '@tabler/icons-react'
import { Link, useRouterState } from '@tanstack/react-router'
import { lazy, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { usePerson } from '../session/session.ts'
import { afterPaint } from '../ui/after-paint.ts'
import { Optional } from '../ui/Optional.tsx'
import classes from './Navigation.module.css'
import { entriesFor, navigationIcons, otherPlacesFor, placeAt } from './navigation.ts'
import { startPage } from './pages.ts'

// Fetched once the page is on the screen.
const MiniMonth = lazy(async () => {
  await afterPaint()
  return { default: (await import('./MiniMonth.tsx')).MiniMonth }
})
const OauthRequestCount = lazy(async () => ({
  default: (await import('../administration/WaitingCounts.tsx')).OauthRequestCount,
}))
const ReviewCount = lazy(async () => ({ default: (await import('../administration/WaitingCounts.tsx')).ReviewCount }))

type NavigationProps = {
  /** Show icons only; a name appears beside its icon on hover and focus. */
  folded?: boolean
  onNavigate?: () => void
}

/** The pages of the current place, and the ways to the other places. */
export function Navigation({ folded = false, onNavigate }: NavigationProps) {
  const { t } = useTranslation()
  const person = usePerson()
  const at = useRouterState({ select: ({ location }) => location.pathname })
  const place = placeAt(at)
  const entries = entriesFor(person, place)
  /** A page below the one of another entry, such as an app of one's own, is a part of that entry. */
  const isEntryItself = entries.some(({ path }) => path === at)
  const linkTo = { className: classes.entry, ...(onNavigate && { onClick: onNavigate }) }
  const requests = (
    <Optional>
      <OauthRequestCount />
    </Optional>
  )
  return (
    <div className={classes.side} data-folded={folded || undefined}>
      <nav aria-label={t('navigation.main')}>
        {place !== 'main' && (
          <>
            <Link to={startPage} {...linkTo}>
              <IconArrowLeft size={20} aria-hidden className={classes.back} />
              <Name>{t('navigation.back')}</Name>
            </Link>
            <p className={classes.heading}>{t(`navigation.places.${place}`)}</p>
          </>
        )}
        <ul className={classes.entries}>
          {entries.map(({ path, navigation: { name, icon } }) => {
            const Icon = navigationIcons[icon]
            return (
              <li key={name}>
                <Link to={path} activeOptions={{ exact: isEntryItself, includeSearch: false }} {...linkTo}>
                  <Icon size={20} aria-hidden />
                  <Name>{t(`navigation.pages.${name}`)}</Name>
                  {name === 'accounts' && requests}
                  {name === 'reviews' && (
                    <Optional>
                      <ReviewCount />
                    </Optional>
                  )}
                </Link>
              </li>
            )
          })}
        </ul>
      </nav>
      {place === 'main' && !folded && (
        <div className={classes.month}>
          <Optional>
            <MiniMonth {...(onNavigate && { onNavigate })} />
          </Optional>
        </div>
      )}
      {place === 'main' && (
        <nav aria-label={t('navigation.more')}>
          <ul className={classes.entries}>
            {otherPlacesFor(person).map(({ place: other, path, Icon }) => (
              <li key={other}>
                <Link to={path} {...linkTo} data-quiet>
                  <Icon size={20} aria-hidden />
                  <Name>{t(`navigation.places.${other}`)}</Name>
                  {other === 'administration' && person.roleIds.includes('administrator') && requests}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      )}
    </div>
  )
}

const Name = ({ children }: { children: ReactNode }) => <span className={classes.name}>{children}</span>

/** On phones, the main pages at the lower edge, within reach of the thumb. */
export function BottomBar({ children }: { children: ReactNode }) {
  const { t } = useTranslation()
  const person = usePerson()
  return (
    <nav className={classes.bar} aria-label={t('navigation.main')}>
      {entriesFor(person, 'main').map(({ path, navigation: { name, icon } }) => {
        const Icon = navigationIcons[icon]
        return (
          <Link key={name} to={path} className={classes.tab}>
            <Icon size={22} aria-hidden />
            {t(`navigation.pages.${name}`)}
          </Link>
        )
      })}
      {children}
    </nav>
  )
}
