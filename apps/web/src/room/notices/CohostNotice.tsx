import { CloseButton } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSnapshot } from '../room-context.ts'
import { Notice } from './Notice.tsx'

/** Tell a person that they became a cohost, or are one no longer; the live region announces it. */
export function CohostNotice() {
  const { t } = useTranslation(['room', 'app'])
  const { role } = useSnapshot()
  const previousRole = useRef(role)
  const [change, setChange] = useState<'madeCohost' | 'removedAsCohost'>()
  useEffect(() => {
    const was = previousRole.current
    previousRole.current = role
    if (was === 'participant' && role === 'cohost') setChange('madeCohost')
    if (was === 'cohost' && role === 'participant') setChange('removedAsCohost')
  }, [role])
  return (
    <div role="status">
      {change !== undefined && (
        <Notice
          tone="request"
          actions={<CloseButton aria-label={t('app:close')} onClick={() => setChange(undefined)} />}
        >
          {t(`banners.${change}`)}
        </Notice>
      )}
    </div>
  )
}
