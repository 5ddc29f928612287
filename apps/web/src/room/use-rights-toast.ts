import { changedRightsOf } from '@parley/rules/rooms/room-rights'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { showToast } from '../ui/toast.ts'
import { useSnapshot } from './room-context.ts'

/** Tell a participant what a host has turned off or on again; the live region of the toasts announces it. */
export function useRightsToast(): void {
  const { t, i18n } = useTranslation('room')
  const { allowed, role } = useSnapshot()
  const last = useRef({ allowed, role })
  useEffect(() => {
    const { allowed: before, role: roleBefore } = last.current
    last.current = { allowed, role }
    // A notice of its own tells a person who becomes a cohost.
    if (before === allowed || role !== roleBefore) return
    // Banners tell of the microphone, as long as it lasts.
    const changed = changedRightsOf(before, allowed).filter((right) => right !== 'microphone')
    const [on, off] = [changed.filter((right) => allowed[right]), changed.filter((right) => !allowed[right])]
    const names = (rights: typeof on) =>
      new Intl.ListFormat(i18n.language).format(rights.map((right) => t(`rights.names.${right}`)))
    if (off.length > 0) showToast({ about: 'rights-off', message: t('rights.off', { list: names(off) }) })
    if (on.length > 0) showToast({ about: 'rights-on', message: t('rights.on', { list: names(on) }) })
  }, [allowed, role, i18n.language, t])
}
