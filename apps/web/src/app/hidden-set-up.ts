const keptUnder = 'parley-set-up-notice'

/** What the checklist of the set-up lacked when it was hidden in this browser, by commas; null while it is shown. */
export const hiddenSetUp = {
  read: () => localStorage.getItem(keptUnder),
  keep: (missing: string) => localStorage.setItem(keptUnder, missing),
}
