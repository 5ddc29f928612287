import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useSnapshot, useVisited } from '../room-context.ts'
import { useAction } from '../use-action.ts'
import { Notice } from './Notice.tsx'

/** Current failures, and what to do about them. */
export function Banners() {
  const { t } = useTranslation('room')
  const { room } = useVisited()
  const { status, cancelled, soundBlocked, hardMuted, deviceProblem } = useSnapshot()
  const runAction = useAction()
  return (
    <div role="status">
      {status.phase === 'reconnecting' && <Notice tone="warning">{t('banners.reconnecting')}</Notice>}
      {cancelled && <Notice tone="warning">{t('banners.cancelled')}</Notice>}
      {soundBlocked && status.phase === 'inside' && (
        <Notice
          tone="warning"
          actions={
            <Button size="sm" onClick={() => void runAction(room.startSound, 'sound')}>
              {t('banners.startSound')}
            </Button>
          }
        >
          {t('banners.soundBlocked')}
        </Notice>
      )}
      {deviceProblem !== null && (
        <Notice tone="warning">
          {t(`banners.device.${deviceProblem.device}`, { why: t(`errors.${deviceProblem.reason}`) })}
        </Notice>
      )}
      {hardMuted && <Notice tone="warning">{t('banners.hardMuted')}</Notice>}
    </div>
  )
}
