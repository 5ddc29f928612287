import { type RefObject, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useCommands } from '../ui/keyboard/commands.ts'

/** Move through a list of links with j and k, as in mail programs. Enter follows the link. */
export function useQueueKeys(list: RefObject<HTMLElement | null>): void {
  const { t } = useTranslation('reviews')
  const commands = useMemo(() => {
    const step = (by: 1 | -1) => {
      const links = [...(list.current?.querySelectorAll('a') ?? [])]
      const at = links.findIndex((link) => link.matches(':focus'))
      links[at === -1 ? 0 : Math.min(Math.max(at + by, 0), links.length - 1)]?.focus()
    }
    return [
      { id: 'review-down', label: t('keys.down'), keys: 'j', repeats: true, run: () => step(1) },
      { id: 'review-up', label: t('keys.up'), keys: 'k', repeats: true, run: () => step(-1) },
    ]
  }, [list, t])
  useCommands(commands)
}
