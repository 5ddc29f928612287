import { Alert, Button, Group } from '@mantine/core'
import { createFormContext } from '@mantine/form'
import { ProblemError } from '@parley/client'
import { meetingTextNames } from '@parley/contract/meeting-fields'
import { useRouter } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFieldErrors } from '../../session/field-errors.ts'
import { showToast } from '../../ui/toast.ts'
import { fieldOf, validateDraft, violationOfCode } from './draft-validation.ts'
import { isSameDraft, type MeetingDraft } from './meeting-draft.ts'
import type { DraftKeeper } from './saved-draft.ts'
import { type TimeZoneCode, zoneIdOf } from './time-zones.ts'

/** The form of a meeting, for its fields. */
export const [MeetingFormProvider, useMeetingFormContext, useDraftForm] = createFormContext<MeetingDraft>()

type Options = {
  /** The initial values when no draft was saved. */
  start: MeetingDraft
  codes: readonly TimeZoneCode[]
  keeper: DraftKeeper
  /** The version of the edited meeting. */
  etag?: string
}

/** The form of a meeting: validated before it is sent, saved in the tab until then. */
export function useMeetingForm({ start, codes, keeper, etag }: Options) {
  const { t } = useTranslation('schedule')
  const [kept, setKept] = useState(() => keeper.read())
  const fieldErrors = useFieldErrors()
  const form = useDraftForm({
    // A draft from before a field existed has that of the start.
    initialValues: { ...start, ...kept?.draft },
    validateInputOnBlur: [...meetingTextNames, 'date', 'time'],
    validate: (draft) => {
      const violations = Object.entries(validateDraft(draft, zoneIdOf(draft.timeZone, codes)))
      return Object.fromEntries(violations.map(([field, violation]) => [field, t(`violations.${violation}`)]))
    },
  })
  const { values } = form
  const usedEtag = kept === undefined ? etag : kept.etag

  useEffect(() => {
    if (isSameDraft(values, start)) keeper.clear()
    else keeper.keep({ draft: values, ...(usedEtag !== undefined && { etag: usedEtag }) })
  }, [values, start, keeper, usedEtag])

  const begin = (draft: MeetingDraft) => {
    keeper.clear()
    setKept(undefined)
    form.setValues(draft)
    form.clearErrors()
  }
  return {
    form,
    /** The version to update: a restored draft refers to the version that its author saw. */
    etag: usedEtag,
    /** Where unsent input was restored: begin without it. */
    startAnew: kept === undefined || kept.handedOver ? undefined : () => begin(start),
    /** Replace the form's values, as if the page had been opened with them. */
    replace: begin,
    /** Show the server's violations at their fields. */
    showErrors(error: unknown) {
      const violations = (error instanceof ProblemError && error.problem.errors) || []
      const words = fieldErrors(error)
      const found = violations.flatMap(({ path, code }) => {
        const field = fieldOf(path, form.values)
        const violation = violationOfCode[code]
        const sentence =
          violation === undefined ? words[path.slice(1).replaceAll('/', '.')] : t(`violations.${violation}`)
        return field === undefined || sentence === undefined ? [] : [[field, sentence] as const]
      })
      form.setErrors(Object.fromEntries(found))
    },
  }
}

type DiscardButtonProps = {
  keeper: DraftKeeper
  /** The link that leaves the form. */
  renderRoot: (props: object) => ReactNode
}

/** Leave the form and delete its draft, which can be undone. */
export function DiscardButton({ keeper, renderRoot }: DiscardButtonProps) {
  const { t } = useTranslation('schedule')
  const router = useRouter()
  const discard = () => {
    const kept = keeper.read()
    const { href } = router.state.location
    keeper.clear()
    if (kept === undefined) return
    showToast({
      message: t('discarded'),
      about: 'draft',
      undo: () => {
        keeper.keep(kept)
        void router.navigate({ href })
      },
    })
  }
  return (
    <Button variant="default" renderRoot={renderRoot} onClick={discard}>
      {t('discard')}
    </Button>
  )
}

/** Whether a change was refused because the meeting had been changed since it was read (412). */
export const isStale = (error: unknown) => error instanceof ProblemError && error.problem.code === 'stale_version'

/** Say that unsent input was restored, and offer to start over; nothing for a form without such input. */
export function RestoredDraft({ startAnew }: { startAnew: (() => void) | undefined }) {
  const { t } = useTranslation('schedule')
  if (startAnew === undefined) return null
  return (
    <Alert color="accent" title={t('restored.title')}>
      <Group justify="space-between">
        {t('restored.explanation')}
        <Button variant="default" size="compact-sm" onClick={startAnew}>
          {t('restored.anew')}
        </Button>
      </Group>
    </Alert>
  )
}
