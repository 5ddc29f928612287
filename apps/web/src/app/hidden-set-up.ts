const keptUnder = 'parley-set-up-notice'

/** What was missing, with commas between, when this browser hid the checklist of the set-up; null while it is shown. */
export const hiddenSetUp = {
  read: () => localStorage.getItem(keptUnder),
  keep: (missing: string) => localStorage.setItem(keptUnder, missing),
}
