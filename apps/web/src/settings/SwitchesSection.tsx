import { Stack, Switch } from '@mantine/core'
import type { Profile, ProfileSettings, SchoolData } from '@parley/contract'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { useMail, usePerson } from '../session/session.ts'
import { SettingsSection } from './SettingsPage.tsx'
import { type ProfileChanges, useSaveProfile } from './settings-mutations.ts'

type SwitchesSectionProps = { title: string; explanation?: string; switches: readonly ProfileSwitch[] }

/** Settings that are saved on change. */
export function SwitchesSection({ title, explanation, switches }: SwitchesSectionProps) {
  const { t } = useTranslation('settings')
  const { mail } = useMail()
  const person = usePerson()
  const { mutate, error } = useSaveProfile({ atOnce: true })
  return (
    <SettingsSection title={title} {...(explanation !== undefined && { explanation })}>
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
              mutate({ what: t(`switches.${name}.label`), changes: turned(checked) })
            }
          />
        ))}
      </Stack>
    </SettingsSection>
  )
}

/** Settings that no page uses have no switch and remain fields of the API. */
type ShownSetting = Exclude<
  keyof ProfileSettings,
  'safeDrivingMode' | 'autoCopyLink' | 'meetingPushNotificationEnabled' | 'videoPreview'
>

/** A switch of the profile; its label is the text `switches.{name}`. */
type ProfileSwitch = {
  name: ShownSetting | keyof SchoolData
  isOn(profile: Profile): boolean
  turned(on: boolean): ProfileChanges
}

const setting = (name: ShownSetting): ProfileSwitch => ({
  name,
  isOn: (profile) => profile[name],
  turned: (on) => ({ [name]: on }),
})

const declaration = (name: keyof SchoolData): ProfileSwitch => ({
  name,
  isOn: ({ schoolData }) => schoolData[name],
  turned: (on) => ({ schoolData: { [name]: on } }),
})

/** Grouped by when they apply; the API lists them flat. */
export const meetingSwitches = [
  { group: 'joining', switches: (['microphoneOff', 'videoOff'] as const).map(setting) },
  { group: 'inside', switches: (['participantName', 'showConnectedTime'] as const).map(setting) },
  { group: 'colleagues', switches: (['suggestedToColleagues'] as const).map(setting) },
] as const

/** What the bell tells. */
export const bellSwitches = (
  [
    'notifyOfInvitations',
    'notifyOfChanges',
    'notifyOfAnswers',
    'notifyOfStarts',
    'notifyOfWaiting',
    'notifyOfReviews',
  ] as const
).map(setting)

export const emailSwitches = (['answerDigest'] as const).map(setting)

export const schoolDeclarations = (['tnc_purpose', 'tnc_service', 'tnc_privacy', 'tnc_authorized'] as const).map(
  declaration,
)
