import { join } from 'node:path'
import { root } from './root.mjs'

/** The languages of the web application besides English. */
export const languages = ['ar', 'de', 'es', 'fr', 'ja', 'pt', 'zh']

/** @param {string} language */
export const dictionaryOf = (language) => join(root, 'apps/web/src/lib/words', `${language}.json`)
