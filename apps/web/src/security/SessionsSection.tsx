import { Badge, Button, Stack } from '@mantine/core'
import type { listSessions, ReplyOf } from '@parley/contract'
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { SettingsSection } from '../settings/SettingsPage.tsx'
import { useDates } from '../texts/dates.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { useNow } from '../ui/hooks/use-now.ts'
import { RowSkeletons } from '../ui/PageSkeleton.tsx'
import { Row, Rows } from '../ui/Rows.tsx'
import { showToast } from '../ui/toast.ts'
import { deviceName } from './device-name.ts'
import { useEndOtherSessions, useEndSession } from './security-mutations.ts'
import { sessionsQuery } from './security-queries.ts'
import { useDeviceWords } from './use-device-words.ts'

const minuteMs = 60_000

type Session = ReplyOf<typeof listSessions>['sessions'][number]

const currentFirst = (one: Session, other: Session) => Number(other.current) - Number(one.current)

const phones = ['Android', 'iPhone', 'iPad']

/** The account's sessions. The current one is listed, and is ended by signing out. */
export function SessionsSection() {
  const { t } = useTranslation(['security', 'app'])
  const { data, error } = useQuery(sessionsQuery)
  const [isConfirming, setConfirming] = useState(false)
  const endOne = useEndSession({ onSaved: () => showToast({ message: t('security:sessions.ended') }) })
  const endOthers = useEndOtherSessions({
    onSaved: () => showToast({ message: t('security:sessions.othersEnded') }),
    onRefreshed: () => setConfirming(false),
    onError: () => setConfirming(false),
  })
  const others = (data ?? []).some(({ current }) => !current)
  return (
    <SettingsSection
      title={t('security:sessions.title')}
      actions={
        others && (
          <Button variant="default" size="sm" onClick={() => setConfirming(true)}>
            {t('security:sessions.endOthers')}
          </Button>
        )
      }
    >
      <ProblemAlert error={error ?? endOne.error ?? endOthers.error} />
      {data === undefined && error === null && (
        <Stack aria-busy="true">
          <RowSkeletons rows={1} />
        </Stack>
      )}
      {data !== undefined && (
        <Rows label={t('security:sessions.title')}>
          {data.toSorted(currentFirst).map((session) => (
            <SessionRow
              key={session._id}
              session={session}
              busy={endOne.isPending && endOne.variables === session._id}
              onEnd={() => endOne.mutate(session._id)}
            />
          ))}
        </Rows>
      )}
      <ConfirmDialog
        opened={isConfirming}
        title={t('security:sessions.askOthers')}
        confirm={t('security:sessions.endOthers')}
        busy={endOthers.isPending}
        onConfirm={() => endOthers.mutate()}
        onClose={() => setConfirming(false)}
      >
        {t('security:sessions.othersExplanation')}
      </ConfirmDialog>
    </SettingsSection>
  )
}

type SessionRowProps = { session: Session; busy: boolean; onEnd(): void }

function SessionRow({ session: { address, userAgent, createdOn, lastUsedOn, current }, busy, onEnd }: SessionRowProps) {
  const { t } = useTranslation(['security', 'app'])
  const { dateTime, relative } = useDates()
  const now = useNow(minuteMs)
  const name = useDeviceWords()(userAgent)
  const isPhone = phones.includes(deviceName(userAgent).system ?? '')
  return (
    <Row
      icon={isPhone ? <IconDeviceMobile size={20} /> : <IconDeviceDesktop size={20} />}
      name={name}
      marks={current && <Badge variant="light">{t('sessions.current')}</Badge>}
      details={[
        t('sessions.since', { moment: dateTime(createdOn) }),
        current
          ? t('sessions.from', { address })
          : t('sessions.lastUsed', { distance: relative(lastUsedOn, now), address }),
      ]}
      actions={
        !current && (
          <Button
            variant="default"
            size="xs"
            loading={busy}
            aria-label={t('sessions.endNamed', { device: name })}
            onClick={onEnd}
          >
            {t('app:signOut')}
          </Button>
        )
      }
    />
  )
}
