/**
 * The nonce of this page's answer, for the styles that components write while they run (docs/decisions, web stack).
 * Browsers hide it from the document's markup, so that styles from elsewhere cannot read it; a script of ours can.
 */
export const styleNonce = (): string =>
  document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''

/** The name under which `get-nonce` looks for it, which stops the page from scrolling behind a dialog. */
export const tellStyleNonce = (): void => void Object.assign(globalThis, { __webpack_nonce__: styleNonce() })
