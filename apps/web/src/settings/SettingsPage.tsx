import { Group, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Page } from '../ui/Page.tsx'
import classes from './SettingsPage.module.css'

const tabs = [
  { path: '/settings/profile', name: 'profile' },
  { path: '/settings/meetings', name: 'meetingSettings' },
  { path: '/settings/notifications', name: 'notificationSettings' },
  { path: '/settings/calendar', name: 'calendarSettings' },
  { path: '/settings/security', name: 'security' },
  { path: '/settings/developer', name: 'developerSettings' },
] as const

type SettingsPageProps = { tab: (typeof tabs)[number]['name']; children: ReactNode }

/** The frame of the account's settings: one heading, and a tab for each page. */
export function SettingsPage({ tab, children }: SettingsPageProps) {
  const { t } = useTranslation(['settings', 'app'])
  const list = useRef<HTMLUListElement>(null)
  // On a phone the open tab may be beyond the edge. Scrolling the list alone leaves the page where it is.
  useEffect(() => {
    const open = list.current?.querySelector<HTMLElement>('[aria-current]')
    if (open && list.current)
      list.current.scrollLeft = open.offsetLeft - (list.current.clientWidth - open.clientWidth) / 2
  }, [])
  return (
    <Page
      title={t('app:navigation.places.settings')}
      part={t(`app:navigation.pages.${tab}`)}
      caption={t('settings:savedAtOnce')}
    >
      <nav aria-label={t('app:navigation.places.settings')}>
        <ul className={classes.tabs} ref={list}>
          {tabs.map(({ path, name }) => (
            <li key={name}>
              <Link to={path} className={classes.tab}>
                {t(`app:navigation.pages.${name}`)}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      {children}
    </Page>
  )
}

type SettingsSectionProps = {
  title: string
  explanation?: string
  /** Buttons of the whole section. */
  actions?: ReactNode
  /** What cannot be undone. */
  danger?: boolean
  children?: ReactNode
}

/** A group of settings: what it is about at the start, the settings beside it, or below on narrow screens. */
export function SettingsSection({ title, explanation, actions, danger = false, children }: SettingsSectionProps) {
  const headingId = useId()
  return (
    <section className={classes.section} data-danger={danger || undefined} aria-labelledby={headingId}>
      <div className={classes.head}>
        <Title order={2} size="h4" id={headingId}>
          {title}
        </Title>
        {explanation !== undefined && (
          <Text size="sm" c="dimmed">
            {explanation}
          </Text>
        )}
      </div>
      <div className={classes.card}>
        {children}
        {actions && <Group className={classes.actions ?? ''}>{actions}</Group>}
      </div>
    </section>
  )
}
