/** Resolve once what has been rendered is on the screen; in a hidden page, once it is shown. */
export const afterPaint = (): Promise<void> =>
  new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
