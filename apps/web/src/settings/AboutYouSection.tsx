import { SimpleGrid, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFieldErrors } from '../session/field-errors.ts'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { usePerson } from '../session/session.ts'
import { SettingsSection } from './SettingsPage.tsx'
import { useSaveProfile } from './settings-mutations.ts'

/** The public part of the profile. */
export function AboutYouSection() {
  const { t } = useTranslation(['settings', 'accounts', 'app'])
  const { email } = usePerson()
  return (
    <SettingsSection title={t('settings:about.title')}>
      <Text mb="md">
        {email}
        <br />
        <Text span size="sm" c="dimmed">
          {t('settings:about.email')}
        </Text>
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
        <FactField name="name" label={t('accounts:firstName')} autoComplete="given-name" required />
        <FactField name="lname" label={t('accounts:lastName')} autoComplete="family-name" />
        <FactField name="phoneNo" label={t('settings:about.phone')} type="tel" autoComplete="tel" />
        <FactField name="department" label={t('settings:about.department')} autoComplete="organization-title" />
        <FactField name="location" label={t('app:location')} autoComplete="address-level2" />
      </SimpleGrid>
    </SettingsSection>
  )
}

type FactFieldProps = {
  name: 'name' | 'lname' | 'phoneNo' | 'department' | 'location'
  label: string
  autoComplete: string
  type?: 'tel'
  required?: boolean
}

/** A text field that saves when it is left, or with Enter. What is refused stays, with the reason. */
function FactField({ name, label, required = false, ...input }: FactFieldProps) {
  const { t } = useTranslation(['settings', 'violations'])
  const saved = usePerson()[name]
  /** What differs from the saved value; undefined shows the saved value, also after undo. */
  const [typed, setTyped] = useState<string>()
  const [violation, setViolation] = useState<string>()
  const { mutate, error, reset } = useSaveProfile({ atOnce: false })
  const refusal = useFieldErrors()(error)[name]

  const violationOf = (value: string) => {
    if (required && value.trim() === '') return t('violations:required')
    return name === 'phoneNo' && !/^[0-9 ()+-]*$/.test(value) ? t('settings:about.phoneInvalid') : undefined
  }
  const save = () => {
    if (typed === undefined) return
    const found = violationOf(typed)
    setViolation(found)
    if (found !== undefined) return
    if (typed === saved) setTyped(undefined)
    else {
      const onSuccess = () => setTyped((current) => (current === typed ? undefined : current))
      mutate({ what: label, changes: { [name]: typed } }, { onSuccess })
    }
  }
  return (
    <div>
      {refusal === undefined && <ProblemAlert error={error} />}
      <TextInput
        label={label}
        required={required}
        {...input}
        value={typed ?? saved}
        error={violation ?? refusal}
        onChange={({ currentTarget: { value } }) => {
          setTyped(value)
          setViolation(undefined)
          reset()
        }}
        onBlur={save}
        onKeyDown={({ key, nativeEvent }) => key === 'Enter' && !nativeEvent.isComposing && save()}
      />
    </div>
  )
}
