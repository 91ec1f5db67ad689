import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'
import { dictionaries } from './languages.mjs'
import { root } from './root.mjs'

/**
 * @typedef {{ terms: Record<string, Record<string, string>>, refused: Record<string, Record<string, string>> }} Terms
 *   `terms` are patterns of English terms, each with its translation by language; `refused` are patterns of variants by
 *   language, each with the words to use instead
 * @typedef {{ place: string, english?: string, text: string }} Translation
 */

const placeholder = /\{\w+\}/g

/** @returns {Terms} */
export const readTerms = () => JSON.parse(readFileSync(join(root, 'apps/web/src/i18n/terms.json'), 'utf8'))

/**
 * Finds texts that translate a term otherwise than the rest, or use a refused variant.
 *
 * @param {string} language
 * @param {Translation[]} translations
 * @param {Terms} terms
 */
export function checkTerms(language, translations, { terms, refused }) {
  /** @type {string[]} */
  const faults = []
  for (const { place, english = '', text: whole } of translations) {
    // Words to search by may be synonyms.
    if (/^[a-z ]+$/.test(english)) continue
    const plain = english.replaceAll(placeholder, '')
    const text = whole.replaceAll(placeholder, '')
    for (const [term, translated] of Object.entries(terms)) {
      const pattern = translated[language]
      if (pattern && new RegExp(`\\b(?:${term})\\b`, 'i').test(plain) && !new RegExp(pattern, 'u').test(text))
        faults.push(`${place}: “${term}” is not “${pattern}” in “${text}”`)
    }
    for (const [variant, instead] of Object.entries(refused[language] ?? {})) {
      const found = text.match(new RegExp(variant, 'u'))
      if (found) faults.push(`${place}: “${found[0]}” instead of “${instead}” in “${text}”`)
    }
  }
  return faults
}

/**
 * All texts of a language: application, console, sign-in sheet and emails.
 *
 * @param {string} language
 * @param {Map<string, string>} said English texts by key
 * @returns {Translation[]}
 */
export function listTranslations(language, said) {
  const texts = dictionaries.flatMap(({ fileOf }) =>
    Object.entries(/** @type {Record<string, string>} */ (JSON.parse(readFileSync(fileOf(language), 'utf8')))).map(
      ([key, text]) => ({ place: `${language} “${key}”`, english: said.get(key) ?? key, text }),
    ),
  )
  const files = [
    `packages/react/src/components/i18n/locales/${language}.ts`,
    `packages/server/src/mail/words/${language}.ts`,
  ]
  return [...texts, ...files.flatMap((file) => listStrings(file).map((text) => ({ place: file, text })))]
}

/** @param {string} file */
function listStrings(file) {
  /** @type {string[]} */
  const strings = []
  const visit = (/** @type {any} */ node) => {
    if (node?.type === 'Property' && typeof node.value?.value === 'string') strings.push(node.value.value)
    else if (node && typeof node === 'object') for (const child of Object.values(node)) visit(child)
  }
  visit(parseSync(file, readFileSync(join(root, file), 'utf8')).program)
  return strings
}
