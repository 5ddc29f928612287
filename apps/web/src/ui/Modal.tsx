import { Modal as MantineModal, type ModalProps } from '@mantine/core'
import { useBackCloses } from './hooks/use-back-closes.ts'

type BackProps = {
  /** Off for a dialog that stays above every page. */
  backCloses?: boolean
}

/** Mantine's dialog, which Back closes as well. Where Escape does not close it, Back leaves everything as it is. */
export function Modal({ backCloses = true, ...props }: ModalProps & BackProps) {
  const { opened, onClose, closeOnEscape = true } = props
  useBackCloses(() => closeOnEscape && onClose(), opened && backCloses)
  return <MantineModal {...props} />
}
