import { Button, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { usePerson, useSignOut } from '../session/session.ts'
import { Appearance } from './Appearance.tsx'
import { DocumentationLink } from './DocumentationLink.tsx'
import classes from './Navigation.module.css'
import { navigation } from './navigation.ts'

/** The pages of the house, and whose house it is. */
export function Navigation({ onNavigate }: { onNavigate?: () => void }) {
  const { t } = useTranslation()
  const person = usePerson()
  const signOut = useSignOut()
  return (
    <div className={classes.side}>
      <nav aria-label={t('navigation.main')}>
        <ul className={classes.entries}>
          {navigation
            .filter(({ isFor }) => isFor(person))
            .map(({ name, to, icon: Icon }) => (
              <li key={name}>
                <Link to={to} className={classes.entry} {...(onNavigate && { onClick: onNavigate })}>
                  <Icon size={20} aria-hidden />
                  {t(`navigation.pages.${name}`)}
                </Link>
              </li>
            ))}
        </ul>
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
          {t('account.signOut')}
        </Button>
        <Appearance />
        <DocumentationLink />
      </div>
    </div>
  )
}
