import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { dictionaries, languages } from '../steps/languages.mjs'
import { readWords } from '../steps/readWords.mjs'

const { said, console: ofConsole, faults } = readWords()

/**
 * The names between braces of a text, outside the choices of a plural.
 *
 * @param {string} text
 */
const namesIn = (text) => [...text.matchAll(/\{(\w+)(?=[},])/g)].map(([, name]) => name).sort()

test('every text of the web application is translatable', () => {
  expect(said.size).toBeGreaterThan(100)
  expect(faults).toEqual([])
})

const files = languages.flatMap((language) =>
  dictionaries.map(({ isConsole, fileOf }) => ({ language, isConsole, file: fileOf(language) })),
)

describe.each(files)('the language $language, of the console alone: $isConsole', ({ language, isConsole, file }) => {
  /** @type {Record<string, string>} */
  const words = JSON.parse(readFileSync(file, 'utf8'))

  test('has every text, and no other', () => {
    const texts = [...said.keys()].filter((text) => ofConsole.has(text) === isConsole)
    expect(texts.filter((text) => !words[text]?.trim())).toEqual([])
    expect(Object.keys(words).filter((text) => !texts.includes(text))).toEqual([])
  })

  test('fills in the same placeholders, and has each plural form of its rules', () => {
    const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories
    for (const [text, translated] of Object.entries(words)) {
      expect([text, namesIn(translated)]).toEqual([text, namesIn(said.get(text) ?? '')])
      if (text.includes(', plural,'))
        for (const category of categories)
          expect([text, translated]).toEqual([text, expect.stringContaining(`${category} {`)])
    }
  })
})
