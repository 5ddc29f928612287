import { Button, Group } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconChevronDown, IconKeyboard, IconPlus } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { loadTexts } from '../../texts/i18n.ts'
import { LazyMenu } from './LazyMenu.tsx'
import classes from './StartActions.module.css'

const JoinDialog = lazy(async () => {
  const [{ JoinDialog }] = await Promise.all([import('./JoinDialog.tsx'), loadTexts('join')])
  return { default: JoinDialog }
})
const StartMenu = lazy(async () => ({ default: (await import('./StartMenu.tsx')).StartMenu }))

/** Schedule a meeting, start one now, go to the own room, or join with a code. */
export function StartActions() {
  const { t } = useTranslation(['meetings', 'app'])
  const [asksForCode, { open, close }] = useDisclosure(false)
  return (
    <Group gap="xs" wrap="nowrap">
      <Button.Group>
        <Button
          renderRoot={(props) => <Link to="/meetings/new" {...props} />}
          leftSection={<IconPlus size={18} aria-hidden />}
        >
          {t('app:commands.schedule')}
        </Button>
        <LazyMenu
          button={
            <Button className={classes.more} aria-label={t('actions.more')} title={t('actions.more')}>
              <IconChevronDown size={18} aria-hidden />
            </Button>
          }
          menu={(target) => <StartMenu target={target} />}
        />
      </Button.Group>
      <Button
        className={classes.join}
        variant="default"
        aria-haspopup="dialog"
        aria-label={t('app:commands.join')}
        title={t('app:commands.join')}
        onClick={open}
      >
        <IconKeyboard size={18} aria-hidden />
        <span className={classes.label}>{t('app:commands.join')}</span>
      </Button>
      <Suspense fallback={null}>{asksForCode && <JoinDialog onClose={close} />}</Suspense>
    </Group>
  )
}
