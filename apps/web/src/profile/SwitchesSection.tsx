import { Stack, Switch, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { useMail, usePerson } from '../session/session.ts'
import { Section } from '../ui/Section.tsx'
import { useSaveProfile } from './save-profile.ts'
import type { ProfileSwitch } from './switches.ts'

type SwitchesSectionProps = { title: string; explanation?: string; switches: readonly ProfileSwitch[] }

/** Settings that are saved on change. */
export function SwitchesSection({ title, explanation, switches }: SwitchesSectionProps) {
  const { t } = useTranslation('profile')
  const { mail } = useMail()
  const person = usePerson()
  const { mutate, error } = useSaveProfile({ atOnce: true })
  return (
    <Section title={title}>
      {explanation !== undefined && (
        <Text c="dimmed" mb="md">
          {explanation}
        </Text>
      )}
      <ProblemAlert error={error} />
      <Stack gap="md">
        {switches.map(({ name, isOn, turned }) => (
          <Switch
            key={name}
            label={t(`switches.${name}.label`)}
            description={
              name === 'answerDigest'
                ? t(`switches.answerDigest.description.${mail}`)
                : t(`switches.${name}.description`)
            }
            // When off, the border identifies the switch (WCAG 2.2, 1.4.11).
            styles={{ track: { borderColor: 'var(--parley-edge)' } }}
            checked={isOn(person)}
            onChange={({ currentTarget: { checked } }) =>
              mutate({ what: t(`switches.${name}.label`), changes: turned(person, checked) })
            }
          />
        ))}
      </Stack>
    </Section>
  )
}
