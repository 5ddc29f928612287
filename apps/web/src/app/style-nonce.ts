/**
 * The CSP nonce of this response, for styles that components add at run time (docs/decisions/0009). Browsers hide
 * it from the markup, so that foreign styles cannot read it; our scripts can.
 */
export const styleNonce = (): string =>
  document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''

/** The global variable in which `get-nonce` looks for it; that library locks scrolling behind dialogs. */
export const publishStyleNonce = (): void => void Object.assign(globalThis, { __webpack_nonce__: styleNonce() })
