import { Button, CloseButton } from '@mantine/core'
import type { Participant } from '@parley/client/join'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useVisited } from '../room-context.ts'
import { useAction } from '../use-action.ts'
import { useNameOf } from '../use-name-of.ts'
import { Notice } from './Notice.tsx'

type HandsNoticeProps = { hands: readonly Participant[]; onSee(): void }

/** Show a host the raised hands while the people panel is closed. After dismissal it returns with the next hand. */
export function HandsNotice({ hands, onSee }: HandsNoticeProps) {
  const { t } = useTranslation(['room', 'app'])
  const { room } = useVisited()
  const runAction = useAction()
  const nameOf = useNameOf()
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  // A hand that is raised again counts as new.
  const stillHidden = hands.filter(({ id }) => hidden.has(id)).map(({ id }) => id)
  if (stillHidden.length < hidden.size) setHidden(new Set(stillHidden))
  const [first] = hands
  if (first === undefined || stillHidden.length === hands.length) return null
  const name = nameOf(first)
  return (
    <section aria-label={t('hands.title')}>
      <Notice
        tone="request"
        actions={
          <>
            {hands.length === 1 && (
              <Button
                size="sm"
                variant="default"
                onClick={() => void runAction(() => room.host.lowerHand(first.id), 'host')}
              >
                {t('people.do.lower_hand')}
              </Button>
            )}
            <Button size="sm" variant="default" onClick={onSee}>
              {t('waitingRoom.see')}
            </Button>
            <CloseButton aria-label={t('app:close')} onClick={() => setHidden(new Set(hands.map(({ id }) => id)))} />
          </>
        }
      >
        {hands.length === 1 ? t('announcements.one.hand', { name }) : t('hands.many', { count: hands.length, name })}
      </Notice>
    </section>
  )
}
