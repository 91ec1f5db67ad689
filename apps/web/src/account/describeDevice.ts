import { t } from '../i18n/translate.ts'

type Device = { browser: string; system: string; kind: 'desktop' | 'phone' | 'tablet' | 'program' }

/** First match wins: most browsers also carry the names of the ones they descend from. */
const browsers: [RegExp, string][] = [
  [/\bEdgA?\/|\bEdgiOS\//, 'Edge'],
  [/\bOPR\/|\bOPT\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\bYaBrowser\//, 'Yandex'],
  [/\bDuckDuckGo\/|\bDdg\//, 'DuckDuckGo'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bHeadlessChrome\//, 'Chrome (headless)'],
  [/\bCriOS\/|\bChrome\/|\bChromium\//, 'Chrome'],
  [/\bVersion\/.*\bSafari\//, 'Safari'],
]

const systems: [RegExp, string][] = [
  [/\biPhone\b|\biPod\b/, 'iOS'],
  [/\biPad\b/, 'iPadOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows NT\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b|\bX11\b/, 'Linux'],
]

const named = (table: [RegExp, string][], text: string) => table.find(([pattern]) => pattern.test(text))?.[1]

/** Reads a browser and a system out of a `User-Agent`, as a person would name them. */
export function describeDevice(userAgent: string | undefined): Device {
  const text = (userAgent ?? '').slice(0, 1000)
  const system = named(systems, text) ?? ''
  const browser = named(browsers, text)
  if (!browser) {
    const program = /^[\w.+-]+/.exec(text)?.[0]
    const known = program && program !== 'Mozilla' ? program : undefined
    return { browser: known ?? t('Unknown browser'), system, kind: known ? 'program' : 'desktop' }
  }
  const phone = system === 'iOS' || (system === 'Android' && /\bMobile\b/.test(text))
  const tablet = system === 'iPadOS' || (system === 'Android' && !phone)
  return { browser, system, kind: phone ? 'phone' : tablet ? 'tablet' : 'desktop' }
}

/** A browser and its system in the few words of a row. */
export function nameDevice(userAgent: string | undefined): string {
  const { browser, system } = describeDevice(userAgent)
  return system ? t('{browser} on {system}', { browser, system }) : browser
}
