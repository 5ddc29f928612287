import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import classes from './Banners.module.css'
import { useSnapshot, useVisited } from './room-context.ts'
import { useDeed } from './use-deed.ts'

/** What stands between oneself and the others just now, and what to do about it. */
export function Banners() {
  const { t } = useTranslation('room')
  const { room } = useVisited()
  const { standing, soundBlocked, hardMuted, deviceProblem } = useSnapshot()
  const deed = useDeed()
  return (
    <div role="status">
      {standing.phase === 'reconnecting' && <p className={classes.banner}>{t('banners.reconnecting')}</p>}
      {soundBlocked && standing.phase === 'inside' && (
        <div className={classes.banner}>
          <span>{t('banners.soundBlocked')}</span>
          <Button size="sm" onClick={() => void deed(room.startSound, 'sound')}>
            {t('banners.startSound')}
          </Button>
        </div>
      )}
      {deviceProblem !== null && (
        <p className={classes.banner}>
          {t(`banners.device.${deviceProblem.device}`, { why: t(`errors.${deviceProblem.reason}`) })}
        </p>
      )}
      {hardMuted && <p className={classes.banner}>{t('banners.hardMuted')}</p>}
    </div>
  )
}
