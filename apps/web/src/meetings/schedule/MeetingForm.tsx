import { Button, Group, NativeSelect, Stack, Text, Textarea, TextInput, Title } from '@mantine/core'
import type { SingleMeetingReply } from '@parley/contract'
import { meetingTexts } from '@parley/contract/meeting-fields'
import { addressKey, isEmailAddress } from '@parley/rules/text/email-address'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../../session/ProblemAlert.tsx'
import { serviceQuery, useMail, usePerson } from '../../session/session.ts'
import { useCommands } from '../../ui/keyboard/commands.ts'
import { focusFirstInvalid } from '../../ui/keyboard/focus-first-invalid.ts'
import { GuestMessageField } from '../GuestMessageField.tsx'
import { NotifyCheckbox } from '../NotifyCheckbox.tsx'
import { addressOf } from './address-list.ts'
import { writeReminder } from './calendar-words.ts'
import classes from './MeetingForm.module.css'
import { RestoredDraft, useMeetingFormContext } from './MeetingFormContext.tsx'
import type { MeetingDraft } from './meeting-draft.ts'
import { NextDatesPreview } from './NextDatesPreview.tsx'
import { DevicesFields, EntryFields } from './OptionsFields.tsx'
import { PeopleField } from './PeopleField.tsx'
import { RepeatFields } from './RepeatFields.tsx'
import { WhenFields } from './WhenFields.tsx'

type MeetingFormLayoutProps = {
  /** Where unsent input was restored: begin without it. */
  startAnew: (() => void) | undefined
  submit: string
  notifiesAbout: 'new' | 'change'
  error: unknown
  isBusy: boolean
  /** Leave the form. */
  cancel: ReactNode
  /** The edited meeting. */
  was?: SingleMeetingReply
  /** The series that the meeting is split from. */
  splits?: SingleMeetingReply
  onSubmit(draft: MeetingDraft): void
}

/** The layout of the form for new and edited meetings. */
export function MeetingFormLayout(props: MeetingFormLayoutProps) {
  const { startAnew, submit, notifiesAbout, error, isBusy, cancel, was, splits, onSubmit } = props
  const form = useMeetingFormContext()
  const { t } = useTranslation(['schedule', 'app'])
  const element = useRef<HTMLFormElement>(null)
  const commands = useMemo(
    () => [{ id: 'send-meeting', label: submit, keys: 'mod+Enter', run: () => element.current?.requestSubmit() }],
    [submit],
  )
  useCommands(commands)
  const topic = useRef<HTMLInputElement>(null)
  const isNew = was === undefined && splits === undefined
  useEffect(() => {
    if (isNew) topic.current?.focus({ preventScroll: true })
  }, [isNew])
  useEffect(() => {
    if (error !== null && error !== undefined) focusFirstInvalid()
  }, [error])

  /** The shortcut of the command does not apply in text fields. */
  const sendByKeys = ({ key, ctrlKey, metaKey, target }: KeyboardEvent<HTMLFormElement>) => {
    if (key !== 'Enter' || !(ctrlKey || metaKey)) return
    if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) element.current?.requestSubmit()
  }
  const people = (field: 'participants' | 'cohosts') => ({
    value: form.values[field],
    onChange: (value: string[]) => form.setFieldValue(field, value),
    error: typeof form.errors[field] === 'string' ? form.errors[field] : undefined,
  })
  return (
    <div className={classes.frame}>
      <form
        ref={element}
        noValidate
        className={classes.form}
        onSubmit={form.onSubmit(onSubmit, focusFirstInvalid)}
        onKeyDown={sendByKeys}
      >
        <div className={classes.wide}>
          <ProblemAlert error={error} />
        </div>
        <Stack gap="md" className={classes.section}>
          <RestoredDraft startAnew={startAnew} />
          <TextInput
            ref={topic}
            label={t('topic')}
            maxLength={meetingTexts.topic.maxLength}
            required
            {...form.getInputProps('topic')}
          />
          <WhenFields />
          <RepeatFields />
        </Stack>
        <aside className={`${classes.section} ${classes.aside}`} aria-labelledby="next-dates">
          <Title order={2} size="h4" id="next-dates" mb="sm">
            {t('dates.title')}
          </Title>
          <NextDatesPreview was={was} ownId={(was ?? splits)?._id} />
        </aside>
        <Stack gap="md" className={classes.section}>
          <PeopleField
            label={t('app:participants')}
            description={t('people.explanation')}
            {...people('participants')}
          />
          <TextInput
            label={t('app:location')}
            maxLength={meetingTexts.location.maxLength}
            dir="auto"
            {...form.getInputProps('location')}
          />
          <Textarea
            label={t('app:description')}
            autosize
            minRows={3}
            maxRows={14}
            {...form.getInputProps('description')}
          />
        </Stack>
        <Stack gap="lg" className={classes.section}>
          <EntryFields />
          <PeopleField
            label={t('people.cohosts')}
            description={t('people.cohostsExplanation')}
            {...people('cohosts')}
          />
          <ReminderField />
          <DevicesFields />
          {notifiesAbout === 'change' && <MessageField was={was ?? splits} />}
        </Stack>
        <div className={classes.footer}>
          <MailedPeople about={notifiesAbout} was={was ?? splits} />
          <Group gap="xs" className={classes.actions}>
            {cancel}
            <Button type="submit" loading={isBusy}>
              {submit}
            </Button>
          </Group>
        </div>
      </form>
    </div>
  )
}

/** What is written to those who get an email about the change. */
function MessageField({ was }: { was: SingleMeetingReply | undefined }) {
  const form = useMeetingFormContext()
  const count = useMailedCount(was)
  if (count === 0 || !form.values.tellsParticipants) return null
  return <GuestMessageField {...form.getInputProps('message')} />
}

/** How many people get an email: those who are invited, and those whom an edit removes. */
function useMailedCount(was: SingleMeetingReply | undefined): number {
  const form = useMeetingFormContext()
  const person = usePerson()
  const { participants, cohosts } = form.values
  const before = was === undefined ? [] : [...was.participants.map(({ email }) => email), ...was.cohosts]
  const mailed = new Set([...before, ...participants, ...cohosts].map(addressOf).filter(isEmailAddress).map(addressKey))
  mailed.delete(addressKey(person.email))
  return mailed.size
}

type MailedPeopleProps = { about: 'new' | 'change'; was: SingleMeetingReply | undefined }

/** Who gets an email: the invited people, and those whom an edit removes. */
function MailedPeople({ about, was }: MailedPeopleProps) {
  const form = useMeetingFormContext()
  const count = useMailedCount(was)
  const { mailIsSent, mail } = useMail()
  const { t } = useTranslation('schedule')
  if (mailIsSent && count === 0) {
    return (
      <Text size="sm" c="dimmed" className={classes.mailed}>
        {t('mails.none')}
      </Text>
    )
  }
  return (
    <div className={classes.mailed}>
      <NotifyCheckbox
        about={about}
        description={t(`mails.${mail}`, { count })}
        {...form.getInputProps('tellsParticipants', { type: 'checkbox' })}
      />
    </div>
  )
}

const usual = 'usual'
const defaultMinutes = [0, 5, 10, 15, 30, 60, 120, 1440]

/** When reminders are mailed. A value that another client has set stays available. */
function ReminderField() {
  const form = useMeetingFormContext()
  const { reminderMinutes: value } = form.values
  const { t, i18n } = useTranslation('schedule')
  const { mail } = useMail()
  const { data } = useQuery(serviceQuery)
  const write = (minutes: number | null) => writeReminder(minutes, { t, language: i18n.language })
  const choices = [...new Set([...defaultMinutes, ...(value === null ? [] : [value])])].toSorted(
    (one, two) => one - two,
  )
  const ofService = data && t('reminder.usualIs', { reminder: write(data.reminderMinutes) })
  return (
    <NativeSelect
      label={t('reminder.label')}
      description={t(`reminder.explanation.${mail}`)}
      value={value === null ? usual : String(value)}
      data={[
        { value: usual, label: ofService ?? write(null) },
        ...choices.map((minutes) => ({ value: String(minutes), label: write(minutes) })),
      ]}
      onChange={({ currentTarget }) =>
        form.setFieldValue('reminderMinutes', currentTarget.value === usual ? null : Number(currentTarget.value))
      }
    />
  )
}
