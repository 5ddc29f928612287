import { Button } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useDates } from '../../texts/dates.ts'
import { useNow } from '../../ui/hooks/use-now.ts'
import { showToast } from '../../ui/toast.ts'
import { isHosting, useSnapshot, useVisited } from '../room-context.ts'
import { useAction } from '../use-action.ts'
import { endPhase } from './end-phase.ts'
import { Notice } from './Notice.tsx'

const checkEveryMs = 5_000

const extensions = [15, 30] as const

/** Five minutes before the planned end, and at the end: a call goes on by itself, and hosts extend it. */
export function EndNotice() {
  const { t } = useTranslation('room')
  const { time } = useDates()
  const snapshot = useSnapshot()
  const { endsAt, cancelled } = snapshot
  const phase = endPhase(endsAt, useNow(checkEveryMs))
  const [closed, setClosed] = useState('')
  const name = `${endsAt} ${phase}`
  const hosting = isHosting(snapshot)
  useExtensionToast()
  const isShown = (phase === 'soon' || phase === 'over') && closed !== name && !cancelled && endsAt !== null
  return (
    <div role="status">
      {isShown && (
        <Notice
          tone={hosting ? 'request' : 'plain'}
          actions={hosting ? <ExtendButtons /> : undefined}
          onClose={() => setClosed(name)}
        >
          {t(`callEnd.${phase}.${hosting ? 'host' : 'participant'}`, { time: time(endsAt) })}
        </Notice>
      )}
    </div>
  )
}

function ExtendButtons() {
  const { t } = useTranslation('room')
  const { room } = useVisited()
  const runAction = useAction()
  const [busy, setBusy] = useState(false)
  const extend = async (minutes: (typeof extensions)[number]) => {
    setBusy(true)
    await runAction(async () => {
      const { shortened } = await room.host.extend(minutes)
      if (shortened) showToast({ about: 'call-end-latest', message: t('callEnd.latest') })
    }, 'host')
    setBusy(false)
  }
  return extensions.map((minutes) => (
    <Button key={minutes} size="sm" variant="default" disabled={busy} onClick={() => void extend(minutes)}>
      {t('callEnd.extend', { count: minutes })}
    </Button>
  ))
}

/** Tell everyone in the call that its planned end has changed. */
function useExtensionToast(): void {
  const { t } = useTranslation('room')
  const { time } = useDates()
  const { endsAt } = useSnapshot()
  const before = useRef(endsAt)
  const show = useRef((_at: string) => {})
  show.current = (at) => showToast({ about: 'call-end', message: t('callEnd.changed', { time: time(at) }) })
  useEffect(() => {
    const isChanged = before.current !== null && endsAt !== null && before.current !== endsAt
    before.current = endsAt
    if (isChanged) show.current(endsAt)
  }, [endsAt])
}

/** The planned end, beside the clock. */
export function PlannedEnd() {
  const { t } = useTranslation('room')
  const { time } = useDates()
  const { endsAt } = useSnapshot()
  const phase = endPhase(endsAt, useNow(checkEveryMs))
  if (endsAt === null || phase === 'far') return null
  return <time dateTime={endsAt}>{t('callEnd.planned', { time: time(endsAt) })}</time>
}
