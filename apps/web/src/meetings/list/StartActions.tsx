import { useClipboard, useDisclosure } from '@mantine/hooks'
import { IconBolt, IconCheck, IconCopy, IconDoorEnter, IconKeyboard } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { usePerson } from '../../session/session.ts'
import { loadTexts } from '../../texts/i18n.ts'
import { writeCode } from '../meeting-status.ts'
import classes from './StartActions.module.css'

const JoinDialog = lazy(async () => {
  const [{ JoinDialog }] = await Promise.all([import('./JoinDialog.tsx'), loadTexts('join')])
  return { default: JoinDialog }
})

/** Start a meeting, join one, or go to the own room. */
export function StartActions() {
  const { t } = useTranslation(['meetings', 'app'])
  const [asksForCode, { open, close }] = useDisclosure(false)
  return (
    <>
      <section className={classes.actions} aria-label={t('actions.title')}>
        <div className={classes.action} data-first>
          <Link to="/start" className={classes.control}>
            <Words icon={<IconBolt size={22} />} title={t('actions.now')} text={t('actions.nowText')} />
          </Link>
        </div>
        <div className={classes.action}>
          <button type="button" className={classes.control} aria-haspopup="dialog" onClick={open}>
            <Words icon={<IconKeyboard size={22} />} title={t('app:commands.join')} text={t('actions.codeText')} />
          </button>
        </div>
        <OwnRoom />
      </section>
      <Suspense fallback={null}>{asksForCode && <JoinDialog onClose={close} />}</Suspense>
    </>
  )
}

/** The permanent own room, and its link for others. */
function OwnRoom() {
  const { t } = useTranslation(['meetings', 'app'])
  const { svcMeetId, roomPIN } = usePerson()
  const { copy, copied } = useClipboard()
  const hash = `pin=${roomPIN}`
  const words = t(copied ? 'app:copied' : 'actions.copy')
  return (
    <div className={classes.action}>
      <Link to="/j/$code" params={{ code: svcMeetId }} hash={hash} className={classes.control}>
        <Words icon={<IconDoorEnter size={22} />} title={t('actions.room')} text={<bdi>{writeCode(svcMeetId)}</bdi>} />
      </Link>
      <button
        type="button"
        className={classes.copy}
        title={words}
        aria-label={t('actions.copy')}
        onClick={() => copy(`${window.location.origin}/j/${svcMeetId}#${hash}`)}
      >
        {copied ? <IconCheck size={18} aria-hidden /> : <IconCopy size={18} aria-hidden />}
      </button>
      <span role="status" className="hidden">
        {copied && words}
      </span>
    </div>
  )
}

const Words = ({ icon, title, text }: { icon: ReactNode; title: string; text: ReactNode }) => (
  <>
    <span className={classes.icon} aria-hidden>
      {icon}
    </span>
    <span>
      <span className={classes.title}>{title}</span>
      <span className={classes.text}>{text}</span>
    </span>
  </>
)
