import { Anchor, CloseButton, Group, Stack, Text } from '@mantine/core'
import { IconLinkOff, IconMailOff } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMail, usePerson } from '../session/session.ts'
import classes from './SetUpNotice.module.css'

/** Where the manual says how to set up what is missing. */
const pages = { mail: '/docs/operations#email', links: '/docs/operations#configure' } as const

const icons = { mail: IconMailOff, links: IconLinkOff }

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
    <Stack component="section" gap="2xs" mb="lg" aria-label={t('setUp.title')}>
      {missing.map((part, at) => {
        const Icon = icons[part]
        return (
          <Group key={part} gap="xs" wrap="nowrap" align="flex-start">
            <Icon size={18} aria-hidden className={classes.icon} />
            <Text size="sm" c="dimmed" className={classes.text}>
              {t(`setUp.${part}`)}{' '}
              <Anchor href={pages[part]} target="_blank" inherit underline="always">
                {t('setUp.howTo')}
              </Anchor>
            </Text>
            {at === 0 && <CloseButton size="sm" aria-label={t('setUp.hide')} onClick={onHide} />}
          </Group>
        )
      })}
    </Stack>
  )
}
