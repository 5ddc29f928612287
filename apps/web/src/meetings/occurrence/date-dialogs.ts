/** Loaded together: the one leads to the other. */
export { ChangeDateDialog } from './ChangeDateDialog.tsx'
export { EditSeriesDialog } from './EditSeriesDialog.tsx'
