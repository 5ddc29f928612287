import { Text, Title } from '@mantine/core'
import type { Entering } from '@parley/contract'
import { useTranslation } from 'react-i18next'
import { ownTimeZone, writeMoment } from '../texts/dates.ts'
import { writeDistance } from '../texts/distance.ts'
import { useNow } from '../ui/hooks/use-now.ts'
import type { ClosedState } from './entry-state.ts'
import classes from './JoinDenied.module.css'

const tickMs = 1_000

type JoinDeniedProps = { entering: Entering & { state: ClosedState }; answeredAt: Date }

/** Why the caller may not enter, and what to do. A live region announces changes. */
export function JoinDenied({ entering, answeredAt }: JoinDeniedProps) {
  const { t, i18n } = useTranslation('join')
  const now = useNow(tickMs)
  const { state, opensAt, retryAfter, role } = entering
  const dateFormat = { language: i18n.language, timeZone: ownTimeZone() }
  const freeAt = retryAfter === undefined ? undefined : new Date(answeredAt.getTime() + retryAfter * 1000)
  const hosts = role === 'host' || role === 'cohost'
  return (
    <div className={classes.answer} data-kind={kindOf(state)}>
      <div role="status">
        <Title order={2} size="h4">
          {t(`states.${state}.title`)}
        </Title>
        {hosts && <Text>{role === 'host' ? t('asHost') : t('asCohost')}</Text>}
        {/* The PIN's field shows its own error. */}
        {state !== 'pin_wrong' && (
          <Text>
            {/* Hosts cannot ask the host. */}
            {hosts && (state === 'cancelled' || state === 'ended')
              ? t(`hostStates.${state}`)
              : t(`states.${state}.text`)}
          </Text>
        )}
        {opensAt !== undefined && <Text>{t('opensAt', { time: writeMoment(opensAt, dateFormat) })}</Text>}
      </div>
      {opensAt !== undefined && new Date(opensAt) > now && (
        <Text fw={600} role="timer">
          {t('opens', { distance: writeDistance(opensAt, now, i18n.language) })}
        </Text>
      )}
      {freeAt !== undefined && freeAt > now && (
        <Text fw={600} role="timer">
          {t('retryIn', { distance: writeDistance(freeAt, now, i18n.language) })}
        </Text>
      )}
    </div>
  )
}

/** The colour only repeats the words. */
function kindOf(state: ClosedState): 'wait' | 'ask' | 'out' {
  if (state === 'too_early') return 'wait'
  return state === 'pin_required' || state === 'sign_in_required' ? 'ask' : 'out'
}
