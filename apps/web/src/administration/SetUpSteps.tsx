import { Anchor, Button, Group, VisuallyHidden } from '@mantine/core'
import { IconCircle, IconCircleCheckFilled } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useProblemWords } from '../session/problem-words.ts'
import { useMail, usePerson } from '../session/session.ts'
import { showToast } from '../ui/toast.ts'
import classes from './SetUpSteps.module.css'
import { type SetUpFacts, useSendTestMail } from './set-up-queries.ts'

/** Where the manual says how to do it. */
const manual = { mail: '/docs/email', links: '/docs/operations#configure' } as const

/** The steps of setting up the service, each with what to do next. */
export function SetUpSteps({ facts }: { facts: SetUpFacts }) {
  const { t } = useTranslation('administration')
  const { linksAreLocal } = useMail()
  const howTo = (part: keyof typeof manual) => (
    <Anchor href={manual[part]} target="_blank" size="sm" underline="always">
      {t('setUp.howTo')}
    </Anchor>
  )
  return (
    <ul className={classes.steps}>
      <Step
        done={facts.mailIsSent}
        name={t('setUp.steps.mail')}
        open={t('setUp.mail')}
        action={facts.mailIsSent ? <TestMailButton /> : howTo('mail')}
      />
      <Step
        done={facts.linksArePublic}
        name={t('setUp.steps.links')}
        open={t(linksAreLocal ? 'setUp.links' : 'setUp.insecure')}
        action={!facts.linksArePublic && howTo('links')}
      />
      <Step
        done={facts.peopleInvited}
        name={t('setUp.steps.people')}
        open={t('setUp.people')}
        action={
          !facts.peopleInvited && (
            <Button
              variant="default"
              size="xs"
              renderRoot={(props) => <Link to="/administration/accounts" {...props} />}
            >
              {t('invite.title')}
            </Button>
          )
        }
      />
      <Step
        done={facts.callMade}
        name={t('setUp.steps.call')}
        open={t('setUp.call')}
        action={
          !facts.callMade && (
            <Button variant="default" size="xs" renderRoot={(props) => <Link to="/start" {...props} />}>
              {t('setUp.startCall')}
            </Button>
          )
        }
      />
    </ul>
  )
}

export const doneSteps = ({ mailIsSent, linksArePublic, peopleInvited, callMade }: SetUpFacts) =>
  [mailIsSent, linksArePublic, peopleInvited, callMade].filter(Boolean).length

export const stepCount = 4

type StepProps = {
  done: boolean
  name: string
  /** What it means that the step is not done. */
  open: string
  action: ReactNode
}

function Step({ done, name, open, action }: StepProps) {
  const { t } = useTranslation('administration')
  const Icon = done ? IconCircleCheckFilled : IconCircle
  return (
    <li className={classes.step} data-done={done || undefined}>
      <Icon size={20} aria-hidden className={classes.icon} />
      <div className={classes.facts}>
        <span className={classes.name}>
          {name}
          <VisuallyHidden> {t(done ? 'setUp.done' : 'setUp.notDone')}</VisuallyHidden>
        </span>
        {!done && <span className={classes.open}>{open}</span>}
      </div>
      <Group gap="xs">{action}</Group>
    </li>
  )
}

function TestMailButton() {
  const { t } = useTranslation('administration')
  const problemWords = useProblemWords()
  const { email } = usePerson()
  const send = useSendTestMail({
    onSaved: () => showToast({ message: t('setUp.testMailSent', { email }) }),
    onError: (error) => showToast({ kind: 'problem', message: problemWords(error) }),
  })
  return (
    <Button variant="default" size="xs" loading={send.isPending} onClick={() => send.mutate()}>
      {t('setUp.testMail')}
    </Button>
  )
}
