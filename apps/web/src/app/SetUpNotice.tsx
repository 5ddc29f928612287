import { CloseButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { doneSteps, SetUpSteps, stepCount } from '../administration/SetUpSteps.tsx'
import { setUpQuery } from '../administration/set-up-queries.ts'
import { useMail } from '../session/session.ts'
import { Section } from '../ui/Section.tsx'
import { hiddenSetUp } from './hidden-set-up.ts'
import classes from './SetUpNotice.module.css'

/**
 * The checklist of an administrator, on the start page until every step is done or it is hidden; the administration has
 * it as a page.
 */
export function SetUpNotice() {
  const { mailIsSent, linksAreLocal } = useMail()
  const [hidden, setHidden] = useState(hiddenSetUp.read)
  // Shown again when something else is missing.
  const missing = [...(mailIsSent ? [] : ['mail']), ...(linksAreLocal ? ['links'] : [])]
  const isHidden = hidden !== null && missing.every((part) => hidden.split(',').includes(part))
  if (isHidden) return null
  const hide = () => {
    hiddenSetUp.keep(missing.join())
    setHidden(missing.join())
  }
  return <SetUpChecklist onHide={hide} />
}

function SetUpChecklist({ onHide }: { onHide(): void }) {
  const { t } = useTranslation('administration')
  const { data: facts } = useQuery(setUpQuery)
  if (facts === undefined || doneSteps(facts) === stepCount) return null
  return (
    <div className={classes.notice}>
      <Section
        title={t('setUp.progress', { number: doneSteps(facts), total: stepCount })}
        actions={<CloseButton aria-label={t('setUp.hide')} onClick={onHide} />}
      >
        <SetUpSteps facts={facts} />
      </Section>
    </div>
  )
}
