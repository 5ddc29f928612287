import { Button, Group, SimpleGrid, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Profile } from '@parley/contract'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useFieldErrors } from '../session/field-errors.ts'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { usePerson } from '../session/session.ts'
import { focusFirstInvalid } from '../ui/keyboard/focus-first-invalid.ts'
import { Section } from '../ui/Section.tsx'
import { useSaveProfile } from './settings-mutations.ts'

const factsOf = ({ name, lname, phoneNo, department, location }: Profile) => ({
  name,
  lname,
  phoneNo,
  department,
  location,
})

/** The public part of the profile. */
export function AboutYouSection() {
  const { t } = useTranslation(['settings', 'accounts', 'violations'])
  const person = usePerson()
  const fieldErrors = useFieldErrors()
  const { mutate, error, isPending } = useSaveProfile({ atOnce: false })
  const saved = factsOf(person)
  const form = useForm({
    initialValues: saved,
    validateInputOnBlur: true,
    validate: {
      name: (name) => (name.trim() === '' ? t('violations:required') : null),
      phoneNo: (phoneNo) => (/^[0-9 ()+-]*$/.test(phoneNo) ? null : t('about.phoneInvalid')),
    },
  })
  // After saving and after undo, show the stored values.
  const kept = JSON.stringify(saved)
  const { setInitialValues, setValues } = form
  // biome-ignore lint/correctness/useExhaustiveDependencies: the form's functions are new in each render, and alike
  useEffect(() => {
    const values: typeof saved = JSON.parse(kept)
    setInitialValues(values)
    setValues(values)
  }, [kept])

  const save = (values: typeof saved) => {
    if (!form.isDirty()) return
    const onError = (failure: Error) => {
      form.setErrors(fieldErrors(failure))
      focusFirstInvalid()
    }
    mutate({ what: t('settings:about.title'), changes: values }, { onError })
  }
  return (
    <Section title={t('settings:about.title')}>
      <Text mb="md">
        {person.email}
        <br />
        <Text span size="sm" c="dimmed">
          {t('settings:about.email')}
        </Text>
      </Text>
      <ProblemAlert error={error} />
      <form noValidate onSubmit={form.onSubmit(save, focusFirstInvalid)}>
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
          <TextInput
            label={t('accounts:firstName')}
            autoComplete="given-name"
            required
            {...form.getInputProps('name')}
          />
          <TextInput label={t('accounts:lastName')} autoComplete="family-name" {...form.getInputProps('lname')} />
          <TextInput
            label={t('settings:about.phone')}
            type="tel"
            autoComplete="tel"
            {...form.getInputProps('phoneNo')}
          />
          <TextInput
            label={t('settings:about.department')}
            autoComplete="organization-title"
            {...form.getInputProps('department')}
          />
          <TextInput
            label={t('settings:about.location')}
            autoComplete="address-level2"
            {...form.getInputProps('location')}
          />
        </SimpleGrid>
        <Group justify="flex-end" mt="lg">
          <Button type="submit" loading={isPending}>
            {t('settings:save')}
          </Button>
        </Group>
      </form>
    </Section>
  )
}
