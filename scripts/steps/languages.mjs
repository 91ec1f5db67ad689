import { join } from 'node:path'
import { root } from './root.mjs'

/** The languages of the web application besides English. */
export const languages = ['ar', 'de', 'es', 'fr', 'ja', 'pt', 'zh']

const folder = join(root, 'apps/web/src/i18n/locales')

/** Texts of the application, and those of the console alone, each with its file by language. */
export const dictionaries = [
  { isConsole: false, fileOf: (/** @type {string} */ language) => join(folder, `${language}.json`) },
  { isConsole: true, fileOf: (/** @type {string} */ language) => join(folder, 'console', `${language}.json`) },
]
