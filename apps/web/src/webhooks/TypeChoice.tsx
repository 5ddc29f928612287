import { Checkbox, Code, Input, Radio, Stack } from '@mantine/core'
import { type EventType, eventTypeNames } from '@parley/contract'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { groupTypes, isSelectable, typeKey } from './type-groups.ts'
import classes from './Webhooks.module.css'
import type { WebhookValues } from './webhook-values.ts'

type TypeChoiceProps = {
  extent: WebhookValues['extent']
  types: readonly EventType[]
  error: ReactNode
  onChange(changes: Partial<WebhookValues>): void
}

const groups = groupTypes(eventTypeNames.filter(isSelectable))
const extents = ['all', 'some'] as const

/** Choose all types of events, or some of them. */
export function TypeChoice({ extent, types, error, onChange }: TypeChoiceProps) {
  const { t } = useTranslation('webhooks')
  return (
    <div>
      <Radio.Group
        label={t('form.types')}
        value={extent}
        onChange={(chosen) => onChange({ extent: extents.find((one) => one === chosen) ?? 'all' })}
      >
        <Stack gap="sm" mt="xs">
          {extents.map((one) => (
            <Radio key={one} value={one} label={t(`extent.${one}`)} description={t(`extentExplanation.${one}`)} />
          ))}
        </Stack>
      </Radio.Group>
      {extent === 'some' && (
        <Checkbox.Group
          aria-label={t('form.chosenTypes')}
          mt="md"
          value={[...types]}
          onChange={(chosen) => onChange({ types: eventTypeNames.filter((type) => chosen.includes(type)) })}
        >
          <Stack gap="md" ms="xl">
            {groups.map((group) => (
              <fieldset key={group.noun} className={classes.group}>
                <legend>{t(`nouns.${group.noun}`)}</legend>
                <Stack gap="sm" mt="xs">
                  {group.types.map((type) => (
                    <Checkbox
                      key={type}
                      value={type}
                      label={t(`types.${typeKey(type)}`)}
                      description={<Code dir="ltr">{type}</Code>}
                      {...(error != null && { 'aria-invalid': true })}
                    />
                  ))}
                </Stack>
              </fieldset>
            ))}
          </Stack>
        </Checkbox.Group>
      )}
      {error != null && (
        <Input.Error mt="xs" role="alert">
          {error}
        </Input.Error>
      )}
    </div>
  )
}
