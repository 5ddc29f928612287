import { Group, Text } from '@mantine/core'
import type { App } from '@parley/contract'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ownTimeZone, writeDay } from '../texts/dates.ts'
import classes from './AppList.module.css'
import { AppStatus } from './AppStatus.tsx'

/** One's apps, each with where it stands; the whole row leads to its page. */
export function AppList({ apps }: { apps: readonly App[] }) {
  const { t, i18n } = useTranslation('apps')
  const where = { language: i18n.language, timeZone: ownTimeZone() }
  return (
    <ul className={classes.apps}>
      {apps.map(({ _id, name, status, liveRevision, modifiedOn }) => (
        <li key={_id} className={classes.row}>
          <div className={classes.facts}>
            <Link to="/developers/$appId" params={{ appId: _id }} className={classes.name}>
              <bdi>{name}</bdi>
            </Link>
            <Text c="dimmed" size="sm">
              {t('list.changedOn', { day: writeDay(modifiedOn, where) })}
            </Text>
          </div>
          <Group gap="xs">
            {liveRevision !== null && status !== 'approved' && status !== 'suspended' && (
              <Text size="sm" c="dimmed">
                {t('list.liveToo')}
              </Text>
            )}
            <AppStatus status={status} />
          </Group>
        </li>
      ))}
    </ul>
  )
}
