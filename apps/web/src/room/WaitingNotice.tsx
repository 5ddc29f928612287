import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { WaitingPerson } from './panels/waiting-person.ts'
import { useVisited } from './room-context.ts'
import { useDeed } from './use-deed.ts'
import classes from './WaitingNotice.module.css'

type WaitingNoticeProps = { waiting: readonly WaitingPerson[]; onSee(): void }

/** A host who does not look at the list still sees that somebody is at the door; the live region says it. */
export function WaitingNotice({ waiting, onSee }: WaitingNoticeProps) {
  const { t } = useTranslation('room')
  const { room } = useVisited()
  const deed = useDeed()
  const [first] = waiting
  if (first === undefined) return null
  const name = first.name === '' ? t('guest') : first.name
  const one = waiting.length === 1
  return (
    <section className={classes.notice} aria-label={t('door.title')}>
      <span>{one ? t('door.oneWaits', { name }) : t('door.manyWait', { count: waiting.length })}</span>
      {one && (
        <Button size="sm" onClick={() => void deed(() => room.host.admit(first.admissionId), 'door')}>
          {t('door.admit')}
        </Button>
      )}
      <Button size="sm" variant="default" onClick={onSee}>
        {t('door.see')}
      </Button>
    </section>
  )
}
