import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { usePerson } from '../session/session.ts'
import { Portrait, portraits } from '../ui/Portrait.tsx'
import { Section } from '../ui/Section.tsx'
import classes from './PortraitSection.module.css'
import { useSaveProfile } from './save-profile.ts'

/** Choose one of the built-in avatars: initials on a coloured background. */
export function PortraitSection() {
  const { t } = useTranslation('profile')
  const { avatar, name, lname } = usePerson()
  const { mutate, error } = useSaveProfile({ atOnce: true })
  return (
    <Section title={t('portrait.title')}>
      <ProblemAlert error={error} />
      <fieldset className={classes.portraits}>
        <legend>
          <Text c="dimmed" mb="sm">
            {t('portrait.explanation')}
          </Text>
        </legend>
        {portraits.map((number) => (
          <label key={number} className={classes.choice}>
            <input
              type="radio"
              name="portrait"
              className="hidden"
              checked={avatar === number}
              onChange={() => mutate({ what: t('portrait.title'), changes: { avatar: number } })}
            />
            <span className="hidden">{t('portrait.number', { number: number + 1 })}</span>
            <Portrait number={number} name={name} lastName={lname} />
          </label>
        ))}
      </fieldset>
    </Section>
  )
}
