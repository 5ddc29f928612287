/** Brands in the order of detection: most browsers also claim to be older ones. */
const browsers: readonly (readonly [string, RegExp])[] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\b(?:OPR|Opera)\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', /\bVersion\/[\d.]+.*\bSafari\//],
]

const systems: readonly (readonly [string, RegExp])[] = [
  ['Android', /\bAndroid\b/],
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Windows', /\bWindows\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['macOS', /\bMac(?:intosh| OS X)\b/],
  ['Linux', /\b(?:Linux|X11)\b/],
]

type DeviceName = { browser: string | undefined; system: string | undefined }

/** Parse the browser and the system from a `User-Agent` (RFC 9110, 10.1.5). */
export function deviceName(userAgent: string): DeviceName {
  // Other programs begin with their own name: `curl/8.9.1` (RFC 9110, 10.1.5).
  const program = /^(?!Mozilla\b)[\w.-]+/.exec(userAgent)?.[0]
  const nameIn = (names: typeof browsers) => names.find(([, mark]) => mark.test(userAgent))?.[0]
  return { browser: nameIn(browsers) ?? program, system: nameIn(systems) }
}
