import { CloseButton, Kbd, Loader, Modal, Skeleton, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../../session/ProblemAlert.tsx'
import { useBackCloses } from '../../ui/hooks/use-back-closes.ts'
import type { Command } from '../../ui/keyboard/commands.ts'
import { PersonPortrait } from '../../ui/Portrait.tsx'
import classes from './SearchDialog.module.css'
import { writeKeys } from './ShortcutsDialog.tsx'
import type { SearchResult } from './search-results.ts'
import { useSearchGroups } from './use-search-groups.ts'

type SearchDialogProps = { opened: boolean; commands: readonly Command[]; onClose(): void }

/** Below this width the dialog fills the window. */
const phone = '(max-width: 36em)'

/**
 * Search: a text field that controls a list of results (the combobox pattern). It stays mounted once opened, so that
 * closing it restores the focus.
 */
export function SearchDialog({ opened, commands, onClose }: SearchDialogProps) {
  const { t } = useTranslation()
  const isPhone = useMediaQuery(phone, undefined, { getInitialValueInEffect: false })
  useBackCloses(onClose, opened)
  return (
    <Modal.Root
      opened={opened}
      onClose={onClose}
      size="40rem"
      yOffset="10vh"
      centered={false}
      fullScreen={isPhone}
      padding={0}
      // What is typed at once belongs into the field.
      transitionProps={{ duration: 0 }}
      classNames={{ content: classes.content ?? '' }}
    >
      <Modal.Overlay />
      <Modal.Content aria-label={t('commands.title')}>
        {opened && <SearchField commands={commands} onClose={onClose} />}
      </Modal.Content>
    </Modal.Root>
  )
}

function SearchField({ commands, onClose }: Omit<SearchDialogProps, 'opened'>) {
  const { t } = useTranslation()
  const id = useId()
  const [query, setQuery] = useState('')
  const [chosenId, setChosenId] = useState<string>()
  const list = useRef<HTMLDivElement>(null)
  const input = useRef<HTMLInputElement>(null)
  // The dialog moves the focus a moment later, when the first letters would be lost.
  useLayoutEffect(() => input.current?.focus(), [])
  const { groups, isLoading, error } = useSearchGroups(query, commands)
  const results = groups.flatMap((group) => group.results)
  // Without a choice by the arrow keys, Enter runs the first result. A choice stays when further results arrive.
  const selected = results.find((result) => result.id === chosenId) ?? results[0]
  const optionId = (result: SearchResult) => `${id}-${result.id}`

  // biome-ignore lint/correctness/useExhaustiveDependencies: after each change of the selection
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [selected?.id])

  const run = (result: SearchResult) => {
    onClose()
    result.run()
  }
  const choose = (step: number) => {
    const at = selected === undefined ? -1 : results.indexOf(selected)
    setChosenId(results[(at + step + results.length) % results.length]?.id)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter confirms the input of Chinese, Japanese and Korean words first.
    if (event.nativeEvent.isComposing) return
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') choose(event.key === 'ArrowDown' ? 1 : -1)
    else if (event.key === 'Enter' && selected !== undefined) run(selected)
    else return
    event.preventDefault()
  }
  return (
    <>
      <div className={classes.head}>
        <IconSearch size={20} aria-hidden />
        <input
          ref={input}
          className={classes.input}
          type="text"
          role="combobox"
          aria-expanded={results.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={selected && optionId(selected)}
          aria-label={t('commands.search')}
          placeholder={t('commands.search')}
          autoComplete="off"
          spellCheck={false}
          maxLength={250}
          data-autofocus
          value={query}
          onChange={({ currentTarget }) => {
            setQuery(currentTarget.value)
            setChosenId(undefined)
          }}
          onKeyDown={onKeyDown}
        />
        {isLoading && <Loader size="xs" aria-hidden />}
        <CloseButton aria-label={t('close')} onClick={onClose} />
      </div>
      <span className="hidden" role="status">
        {isLoading ? t('loading') : query !== '' && t('commands.found', { count: results.length })}
      </span>
      <div className={classes.results} ref={list}>
        <ProblemAlert error={error} />
        {results.length > 0 && (
          <div role="listbox" id={`${id}-list`} aria-label={t('commands.title')}>
            {groups.map(
              ({ name, results: ofGroup }) =>
                ofGroup.length > 0 && (
                  // biome-ignore lint/a11y/useSemanticElements: a fieldset groups form fields
                  <div key={name} role="group" aria-labelledby={`${id}-${name}`}>
                    <div id={`${id}-${name}`} role="presentation" className={classes.heading}>
                      {t(`commands.groups.${name}`)}
                    </div>
                    {ofGroup.map((result) => (
                      <ResultOption
                        key={result.id}
                        id={optionId(result)}
                        result={result}
                        isSelected={result === selected}
                        onRun={() => run(result)}
                      />
                    ))}
                  </div>
                ),
            )}
          </div>
        )}
        {isLoading && results.length === 0 && <Skeletons />}
        {!isLoading && results.length === 0 && error === null && (
          <Text c="dimmed" className={classes.nothing ?? ''}>
            {t('commands.nothing')}
          </Text>
        )}
      </div>
    </>
  )
}

type ResultOptionProps = { id: string; result: SearchResult; isSelected: boolean; onRun(): void }

/** The focus stays in the text field, which tells screen readers which option is selected. */
const ResultOption = ({
  id,
  result: { icon: Icon, photo, label, detail, keys },
  isSelected,
  onRun,
}: ResultOptionProps) => (
  // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the text field
  // biome-ignore lint/a11y/useFocusableInteractive: the text field has the focus
  <div
    id={id}
    role="option"
    aria-selected={isSelected}
    className={classes.option}
    onMouseDown={(event) => event.preventDefault()}
    onClick={onRun}
  >
    <span className={classes.icon} aria-hidden>
      {Icon === 'portrait' ? <PersonPortrait name={label} photo={photo} /> : <Icon size={20} />}
    </span>
    <span className={classes.text}>
      <bdi className={classes.label}>{label}</bdi>
      {detail !== undefined && detail !== '' && <span className={classes.detail}>{detail}</span>}
    </span>
    {keys !== undefined && <Kbd>{writeKeys(keys)}</Kbd>}
  </div>
)

const Skeletons = () => (
  <div className={classes.skeletons} aria-hidden>
    <Skeleton h={20} w="60%" />
    <Skeleton h={20} w="45%" />
    <Skeleton h={20} w="52%" />
  </div>
)
