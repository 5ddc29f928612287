import { Button, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { usePerson, useSignOut } from '../session/session.ts'
import classes from './Navigation.module.css'
import { navigationFor, navigationIcons } from './navigation.ts'
import { PageFoot } from './PageFoot.tsx'

const OauthRequestCount = lazy(async () => ({
  default: (await import('../accounts/OauthRequestCount.tsx')).OauthRequestCount,
}))

/** The main navigation under the organisation's name. */
export function Navigation({ onNavigate }: { onNavigate?: () => void }) {
  const { t } = useTranslation()
  const id = useId()
  const person = usePerson()
  const signOut = useSignOut()
  return (
    <div className={classes.side}>
      <nav aria-label={t('navigation.main')}>
        {navigationFor(person).map(({ name: group, entries }) => (
          <div key={group} className={classes.group}>
            <p id={`${id}-${group}`} className={classes.heading}>
              {t(`navigation.groups.${group}`)}
            </p>
            <ul className={classes.entries} aria-labelledby={`${id}-${group}`}>
              {entries.map(({ path, navigation: { name, icon } }) => {
                const Icon = navigationIcons[icon]
                return (
                  <li key={name}>
                    <Link to={path} className={classes.entry} {...(onNavigate && { onClick: onNavigate })}>
                      <Icon size={20} aria-hidden />
                      {t(`navigation.pages.${name}`)}
                      {name === 'accounts' && (
                        <Suspense fallback={null}>
                          <OauthRequestCount />
                        </Suspense>
                      )}
                    </Link>
                  </li>
                )
              })}
            </ul>
          </div>
        ))}
      </nav>
      <div className={classes.account}>
        <Text fw={600}>
          {person.name} {person.lname}
        </Text>
        <Text size="sm" c="dimmed">
          {person.email}
        </Text>
        <Button
          variant="default"
          size="xs"
          my="sm"
          fullWidth
          loading={signOut.isPending}
          onClick={() => signOut.mutate()}
        >
          {t('signOut')}
        </Button>
        <PageFoot />
      </div>
    </div>
  )
}
