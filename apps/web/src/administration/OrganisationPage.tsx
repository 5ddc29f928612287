import { Alert, Button, ColorSwatch, FileButton, Group, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import {
  type LogoGround,
  maxOrganisationNameLength,
  type OrganisationLook,
  type OrganisationSettings,
} from '@parley/contract'
import {
  type AccentShades,
  deriveAccentColours,
  productColour,
  readColour,
} from '@parley/rules/accounts/accent-colours'
import { IconTrash, IconUpload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type CSSProperties, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFieldErrors } from '../session/field-errors.ts'
import { fetchImage } from '../session/image-bytes.ts'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { Page } from '../ui/Page.tsx'
import { RowSkeletons } from '../ui/PageSkeleton.tsx'
import { Section } from '../ui/Section.tsx'
import { showToast } from '../ui/toast.ts'
import classes from './OrganisationPage.module.css'
import { organisationSettingsQuery, useChangeLogo, useUpdateOrganisation } from './organisation-queries.ts'
import { type LogoRefusal, scaleLogo } from './scale-logo.ts'

/** The name, the colour and the logos that the pages and emails of the organisation have. */
export function OrganisationPage() {
  const { t } = useTranslation(['administration', 'app'])
  const { data: settings, error } = useQuery(organisationSettingsQuery)
  return (
    <Page title={t('app:navigation.pages.organisation')} caption={t('organisation.explanation')} width="narrow">
      <ProblemAlert error={error} />
      {settings === undefined && error === null && (
        <Stack aria-busy="true">
          <RowSkeletons rows={4} />
        </Stack>
      )}
      {settings !== undefined && (
        <Stack gap="lg">
          <NameAndColour settings={settings} />
          <Section title={t('organisation.logos')}>
            <Text size="sm" c="dimmed" mb="md">
              {t('organisation.logoHint')}
            </Text>
            <div className={classes.grounds}>
              <LogoField ground="light" settings={settings} />
              <LogoField ground="dark" settings={settings} />
            </div>
          </Section>
        </Stack>
      )}
    </Page>
  )
}

function NameAndColour({ settings }: { settings: OrganisationSettings }) {
  const { t } = useTranslation(['administration', 'app'])
  const fieldErrors = useFieldErrors()
  const form = useForm({ initialValues: { name: settings.name, colour: settings.colour ?? '' } })
  const { name, colour } = form.values
  const save = useUpdateOrganisation({
    onSaved: (after) => {
      const values = { name: after.name, colour: after.colour ?? '' }
      form.setInitialValues(values)
      form.setValues(values)
      form.resetDirty(values)
      showToast({ message: t('organisation.saved') })
    },
    onError: (error) => form.setErrors(fieldErrors(error)),
  })
  // Only what was changed here: another administrator may have changed the rest.
  const submit = () => save.mutate({ ...(form.isDirty('name') && { name }), ...(form.isDirty('colour') && { colour }) })
  const typed = readColour(colour)
  return (
    <Section title={t('organisation.nameAndColour')}>
      <ProblemAlert error={save.error} />
      <form onSubmit={form.onSubmit(submit)}>
        <Stack gap="md">
          <TextInput
            label={t('app:name')}
            description={t('organisation.nameHint')}
            maxLength={maxOrganisationNameLength}
            autoComplete="organization"
            dir="auto"
            {...form.getInputProps('name')}
          />
          <Group gap="sm" align="flex-end">
            <TextInput
              label={t('organisation.colour')}
              description={t('organisation.colourHint')}
              flex="1 1 16rem"
              maxLength={16}
              dir="ltr"
              spellCheck={false}
              {...form.getInputProps('colour')}
            />
            <ColourPicker value={typed} onPick={(picked) => form.setFieldValue('colour', picked)} />
          </Group>
          <Sample name={name.trim()} logos={settings.logos} colour={typed} />
          <Group justify="flex-end">
            <Button type="submit" loading={save.isPending} disabled={!form.isDirty()}>
              {t('app:saveChanges')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  )
}

/** The browser's own dialog of colours, behind a button. */
function ColourPicker({ value, onPick }: { value: string | undefined; onPick(colour: string): void }) {
  const { t } = useTranslation('administration')
  const input = useRef<HTMLInputElement>(null)
  return (
    <div className={classes.picker}>
      <Button
        variant="default"
        leftSection={value !== undefined && <ColorSwatch color={value} size={18} withShadow />}
        onClick={() => input.current?.click()}
      >
        {t('organisation.pickColour')}
      </Button>
      <input
        ref={input}
        type="color"
        tabIndex={-1}
        aria-hidden
        value={value ?? productColour}
        onChange={({ currentTarget }) => onPick(currentTarget.value)}
      />
    </div>
  )
}

type SampleProps = { name: string; logos: OrganisationLook['logos']; colour: string | undefined }

/** How a button and a link look on light and on dark pages; where a shade differs from the colour, why. */
function Sample({ name, logos, colour }: SampleProps) {
  const { t } = useTranslation(['administration', 'app'])
  const shades = colour === undefined ? undefined : deriveAccentColours(colour)
  const notes = [
    shades && shades.light.accent !== colour && t('organisation.darker'),
    shades && shades.dark.accent !== colour && t('organisation.lighter'),
  ].filter((note) => typeof note === 'string')
  return (
    <>
      <div className={classes.grounds} aria-hidden>
        {(['light', 'dark'] as const).map((ground) => (
          <div
            key={ground}
            className={classes.ground}
            data-ground={ground}
            style={shades && sampleColours(shades[ground])}
          >
            <span className={classes.brand}>
              <GroundLogo ground={ground} logos={logos} />
              {(name !== '' || logos.light === null) && <span dir="auto">{name || t('app:product')}</span>}
            </span>
            <span className={classes.sampleButton}>{t('app:join')}</span>
            <span className={classes.sampleLink}>{t('app:documentation')}</span>
          </div>
        ))}
      </div>
      <div role="status">
        {notes.map((note) => (
          <Text key={note} size="sm" c="dimmed">
            {note}
          </Text>
        ))}
      </div>
    </>
  )
}

/** The custom properties of a sample; TypeScript's type of styles knows none. */
const sampleColours = ({ accent, onAccent }: AccentShades) =>
  ({ '--sample-accent': accent, '--sample-on-accent': onAccent }) as CSSProperties

/** The logo that pages of this ground show. */
function GroundLogo({ ground, logos: { light, dark } }: { ground: LogoGround; logos: OrganisationLook['logos'] }) {
  const logo = ground === 'dark' && light !== null ? (dark ?? light) : ground === 'light' ? light : null
  if (logo === null) return null
  const isOnPlate = ground === 'dark' && dark === null
  return (
    <img
      className={classes.logo}
      data-plate={isOnPlate || undefined}
      src={logo.url}
      alt=""
      width={logo.width}
      height={logo.height}
    />
  )
}

/** One logo: what there is, and the buttons that replace and remove it. */
function LogoField({ ground, settings }: { ground: LogoGround; settings: OrganisationSettings }) {
  const { t } = useTranslation(['administration', 'app'])
  const [refusal, setRefusal] = useState<LogoRefusal>()
  const change = useChangeLogo({})
  const logo = settings.logos[ground]
  const title = t(`organisation.logo.${ground}`)
  const upload = async (file: File | null) => {
    if (file === null) return
    const scaled = await scaleLogo(file)
    setRefusal('refusal' in scaled ? scaled.refusal : undefined)
    if ('refusal' in scaled) return
    change.mutate({ ground, ...scaled }, { onSuccess: () => showToast({ message: t('organisation.logoSaved') }) })
  }
  const remove = async () => {
    setRefusal(undefined)
    // Without the image, the logo is removed without an undo; without a connection, the removal says so.
    const former = logo && (await fetchImage(logo.url).catch(() => null))
    const undo = former !== null && { undo: () => change.mutate({ ground, image: former }) }
    change.mutate({ ground }, { onSuccess: () => showToast({ message: t('organisation.logoRemoved'), ...undo }) })
  }
  return (
    <fieldset className={classes.field} aria-label={title}>
      <div className={classes.ground} data-ground={ground}>
        {logo === null ? (
          <span className={classes.none}>{t('organisation.noLogo')}</span>
        ) : (
          <img className={classes.logo} src={logo.url} alt={title} width={logo.width} height={logo.height} />
        )}
      </div>
      <Text size="sm" fw={500}>
        {title}
      </Text>
      {ground === 'dark' && logo === null && (
        <Text size="sm" c="dimmed">
          {t('organisation.darkFallback')}
        </Text>
      )}
      {logo !== null && !settings.logosInMail[ground] && (
        <Text size="sm" c="dimmed">
          {t('organisation.notInMail')}
        </Text>
      )}
      <ProblemAlert error={change.error} />
      {refusal !== undefined && (
        <Alert color="red" role="alert">
          {t(`organisation.refused.${refusal}`)}
        </Alert>
      )}
      <Group gap="xs">
        <FileButton accept="image/png,image/jpeg,image/webp,image/svg+xml" onChange={(file) => void upload(file)}>
          {(props) => (
            <Button
              {...props}
              variant="default"
              leftSection={<IconUpload size={18} aria-hidden />}
              loading={change.isPending}
              aria-label={`${t(logo === null ? 'organisation.upload' : 'organisation.replace')}: ${title}`}
            >
              {t(logo === null ? 'organisation.upload' : 'organisation.replace')}
            </Button>
          )}
        </FileButton>
        {logo !== null && (
          <Button
            variant="subtle"
            color="red"
            leftSection={<IconTrash size={18} aria-hidden />}
            aria-label={`${t('organisation.remove')}: ${title}`}
            disabled={change.isPending}
            onClick={() => void remove()}
          >
            {t('organisation.remove')}
          </Button>
        )}
      </Group>
    </fieldset>
  )
}
