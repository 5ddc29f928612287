import { Text } from '@mantine/core'
import type { App } from '@parley/contract'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ownTimeZone, writeDay } from '../texts/dates.ts'
import classes from './AppList.module.css'
import { AppStatus } from './AppStatus.tsx'

/** The account's apps with their status; each whole row is a link. */
export function AppList({ apps }: { apps: readonly App[] }) {
  const { t, i18n } = useTranslation('apps')
  const dateFormat = { language: i18n.language, timeZone: ownTimeZone() }
  return (
    <ul className={classes.apps}>
      {apps.map((app) => (
        <li key={app._id} className={classes.row}>
          <div className={classes.facts}>
            <Link to="/developers/$appId" params={{ appId: app._id }} className={classes.name}>
              <bdi>{app.name}</bdi>
            </Link>
            <Text c="dimmed" size="sm">
              {t('list.changedOn', { day: writeDay(app.modifiedOn, dateFormat) })}
            </Text>
          </div>
          <AppStatus app={app} />
        </li>
      ))}
    </ul>
  )
}
