import { Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { CopyField } from '../../ui/CopyField.tsx'
import { useInvitation } from '../panels/use-invitation.ts'
import classes from './Alone.module.css'

/** Shown while no other participant is present: how to invite people. */
export function Alone() {
  const { t } = useTranslation('room')
  const { link, pin } = useInvitation()
  return (
    <div className={classes.alone}>
      <Title order={2} size="h4">
        {t('alone.title')}
      </Title>
      <p className={classes.text}>{t('alone.text')}</p>
      <CopyField label={t('invite.link')} value={link} />
      {pin === undefined && <p className={classes.text}>{t('invite.noPin')}</p>}
    </div>
  )
}
