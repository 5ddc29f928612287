import { Anchor, Box, Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMail, usePerson } from '../session/session.ts'
import classes from './Root.module.css'

/** Where the manual says how to set up what is missing. */
const pages = { mail: '/docs/operations#email', links: '/docs/operations#configure' } as const

const keptUnder = 'parley-set-up-notice'

/**
 * Tell an administrator that emails do not leave, or that links open on one machine alone, until it is hidden. It reads
 * these facts for everybody, so that parts of the pages that depend on them need not wait.
 */
export function SetUpNotice() {
  const { mailIsSent, linksAreLocal } = useMail()
  const { roleIds } = usePerson()
  const [hidden, setHidden] = useState(() => localStorage.getItem(keptUnder))
  const missing = [...(mailIsSent ? [] : ['mail' as const]), ...(linksAreLocal ? ['links' as const] : [])]
  // Shown again when something else is missing.
  const state = missing.join()
  if (state === '' || state === hidden || !roleIds.includes('administrator')) return null
  const hide = () => {
    localStorage.setItem(keptUnder, state)
    setHidden(state)
  }
  return <MissingParts missing={missing} onHide={hide} />
}

function MissingParts({ missing, onHide }: { missing: readonly (keyof typeof pages)[]; onHide(): void }) {
  const { t } = useTranslation('administration')
  return (
    <Box component="section" className={classes.banner} mb="lg" aria-label={t('setUp.title')}>
      {missing.map((part) => (
        <div key={part}>
          {t(`setUp.${part}`)}{' '}
          <Anchor href={pages[part]} target="_blank" inherit underline="always">
            {t('setUp.howTo')}
          </Anchor>
        </div>
      ))}
      <Button variant="default" size="compact-sm" mt="xs" onClick={onHide}>
        {t('setUp.hide')}
      </Button>
    </Box>
  )
}
