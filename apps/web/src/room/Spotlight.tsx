import { Button } from '@mantine/core'
import type { Participant } from '@parley/client/join'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Notice } from './notices/Notice.tsx'
import { allParticipants, isHosting, useNameOf, useSnapshot, useVisited } from './room-context.ts'
import { useAction } from './use-action.ts'

/** Participants have nothing to do about it, and the list of people says it as well. */
const shownMs = 10_000

/** The service's limit. */
const maxInFront = 9

type SpotlightState = {
  has(id: string): boolean
  /** Show a person large to everyone, or no longer; undefined for people who are not hosts, and where no more fit. */
  toggle: ((person: Participant) => void) | undefined
}

/** Whom hosts show large to everyone. */
export function useSpotlight(): SpotlightState {
  const { room } = useVisited()
  const snapshot = useSnapshot()
  const runAction = useAction()
  const here = new Set(allParticipants(snapshot).map(({ id }) => id))
  const shown = snapshot.spotlight.filter(({ admissionId }) => here.has(admissionId))
  const has = (id: string) => shown.some(({ admissionId }) => admissionId === id)
  const toggle = ({ id }: Participant) => {
    const others = shown.filter(({ admissionId }) => admissionId !== id)
    const next = has(id) ? others : [...others, { admissionId: id, source: 'camera' as const }].slice(-maxInFront)
    void runAction(() => room.host.setSpotlight(next), 'host')
  }
  return { has, toggle: isHosting(snapshot) ? toggle : undefined }
}

/** Say who is shown large to everyone, and that a person's own pin comes first. */
export function SpotlightNotice() {
  const { t, i18n } = useTranslation(['room', 'call'])
  const { room } = useVisited()
  const snapshot = useSnapshot()
  const runAction = useAction()
  const nameOf = useNameOf()
  const [closed, setClosed] = useState('')
  const { has } = useSpotlight()
  const people = allParticipants(snapshot).filter(({ id }) => has(id))
  const others = people.filter(({ isMe }) => !isMe)
  const name = people.map(({ id }) => id).join(' ')
  const hosting = isHosting(snapshot)
  useEffect(() => {
    if (hosting || name === '') return
    const timer = setTimeout(() => setClosed(name), shownMs)
    return () => clearTimeout(timer)
  }, [hosting, name])
  const names = new Intl.ListFormat(i18n.language).format(others.map(nameOf))
  return (
    <div role="status">
      {people.length > 0 && closed !== name && (
        <Notice
          actions={
            hosting && (
              <Button
                size="sm"
                variant="default"
                onClick={() => void runAction(() => room.host.setSpotlight([]), 'host')}
              >
                {t('call:spotlight.stop')}
              </Button>
            )
          }
          onClose={() => setClosed(name)}
        >
          {people.length > others.length && `${t('call:spotlight.me')} `}
          {others.length > 0 && t('call:spotlight.people', { names })}
        </Notice>
      )}
    </div>
  )
}
