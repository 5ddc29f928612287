import { Button, Group, Title } from '@mantine/core'
import type { RoomWatch } from '@parley/contract'
import { useTranslation } from 'react-i18next'
import { PersonPortrait } from '../../ui/Portrait.tsx'
import { GuestBadge } from '../GuestBadge.tsx'
import { useVisited } from '../room-context.ts'
import { useAction } from '../use-action.ts'
import classes from './PeoplePanel.module.css'
import type { WaitingPerson } from './use-waiting.ts'

type WaitingToEnter = WaitingPerson | RoomWatch['denied'][number]

/** People who wait to be admitted; nothing when there are none. */
export function WaitingRoom({ waiting }: { waiting: readonly WaitingPerson[] }) {
  const { t } = useTranslation(['room', 'call'])
  const { room } = useVisited()
  const runAction = useAction()
  const decide = useDecision()
  if (waiting.length === 0) return null
  const title = t('call:waitingRoom.waiting', { count: waiting.length })
  return (
    <section className={classes.section}>
      <div className={classes.heading}>
        <Title order={3} size="h5">
          {title}
        </Title>
        {waiting.length > 1 && (
          <Button size="compact-sm" variant="default" onClick={() => void runAction(room.host.admitAll, 'waitingRoom')}>
            {t('call:waitingRoom.admitAll')}
          </Button>
        )}
      </div>
      <WaitingList people={waiting} label={title} onDecide={decide} canDecline />
    </section>
  )
}

/** Declined and removed people, whom a host can still admit. */
export function DeniedPeople({ people }: { people: RoomWatch['denied'] }) {
  const { t } = useTranslation(['room', 'call'])
  const decide = useDecision()
  if (people.length === 0) return null
  const title = t('call:waitingRoom.denied', { count: people.length })
  return (
    <section className={classes.section}>
      <Title order={3} size="h5">
        {title}
      </Title>
      <WaitingList people={people} label={title} onDecide={decide} />
    </section>
  )
}

type Decide = (decision: 'admit' | 'deny', person: WaitingToEnter, button: HTMLElement) => void

/** A decided row is unmounted with its buttons; move the focus to the panel. */
function useDecision(): Decide {
  const { room } = useVisited()
  const runAction = useAction()
  return async (decision, { admissionId }, button) => {
    const panel = button.closest<HTMLElement>('aside')
    if (await runAction(() => room.host[decision](admissionId), 'waitingRoom')) panel?.focus({ preventScroll: true })
  }
}

type WaitingListProps = { people: readonly WaitingToEnter[]; label: string; onDecide: Decide; canDecline?: boolean }

function WaitingList({ people, label, onDecide, canDecline = false }: WaitingListProps) {
  const { t } = useTranslation(['room', 'app', 'call'])
  return (
    <ul className={classes.list} aria-label={label}>
      {people.map((person) => {
        const name = person.name === '' ? t('app:guest') : person.name
        return (
          <li key={person.admissionId} className={classes.person}>
            <PersonPortrait name={name} />
            <div className={classes.facts}>
              <span className={classes.named}>
                <span className={classes.name} dir="auto">
                  {person.name === '' ? t('app:guest') : person.name}
                </span>
                <GuestBadge person={{ name: person.name, isGuest: person.guest }} />
              </span>
              {person.formerName !== null && (
                <span className={classes.detail}>{t('call:people.renamedFrom', { name: person.formerName })}</span>
              )}
              {person.email !== null && <span className={classes.detail}>{person.email}</span>}
            </div>
            <Group gap="xs" className={classes.choices}>
              {canDecline && (
                <Button
                  variant="default"
                  aria-label={t('call:waitingRoom.denyName', { name })}
                  onClick={({ currentTarget }) => onDecide('deny', person, currentTarget)}
                >
                  {t('app:decline')}
                </Button>
              )}
              <Button
                aria-label={t('call:waitingRoom.admitName', { name })}
                onClick={({ currentTarget }) => onDecide('admit', person, currentTarget)}
              >
                {t('call:waitingRoom.admit')}
              </Button>
            </Group>
          </li>
        )
      })}
    </ul>
  )
}
