import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { WaitingPerson } from '../panels/waiting-person.ts'
import { useVisited } from '../room-context.ts'
import { useAction } from '../use-action.ts'
import { useNameOf } from '../use-name-of.ts'
import { Notice } from './Notice.tsx'

type WaitingNoticeProps = { waiting: readonly WaitingPerson[]; onSee(): void }

/** Tell a host who has another panel open that people wait; the page's live region announces it. */
export function WaitingNotice({ waiting, onSee }: WaitingNoticeProps) {
  const { t } = useTranslation('room')
  const { room } = useVisited()
  const runAction = useAction()
  const nameOf = useNameOf()
  const [first] = waiting
  if (first === undefined) return null
  const name = nameOf({ name: first.name, isGuest: first.guest })
  const one = waiting.length === 1
  return (
    <section aria-label={t('waitingRoom.title')}>
      <Notice
        tone="request"
        actions={
          <>
            {one && (
              <Button size="sm" onClick={() => void runAction(() => room.host.admit(first.admissionId), 'waitingRoom')}>
                {t('waitingRoom.admit')}
              </Button>
            )}
            <Button size="sm" variant="default" onClick={onSee}>
              {t('waitingRoom.see')}
            </Button>
          </>
        }
      >
        {one ? t('announcements.one.waiting', { name }) : t('announcements.many.waiting', { count: waiting.length })}
      </Notice>
    </section>
  )
}
