import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { checkTerms, listTranslations, readTerms } from '../steps/checkTerms.mjs'
import { dictionaries, languages } from '../steps/languages.mjs'
import { listDoubleUses, readTexts, readWords } from '../steps/readWords.mjs'

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

/** @param {string} code */
function read(code) {
  /** @type {Map<string, string>} */
  const texts = new Map()
  /** @type {string[]} */
  const problems = []
  /** @type {Map<string, Set<'action' | 'state'>>} */
  const uses = new Map()
  readTexts('Page.tsx', code, texts, problems, uses)
  return { texts, problems: [...problems, ...listDoubleUses(uses)] }
}

test('a text that is both an action and a state names its meaning', () => {
  expect(read("const A = () => t('Set up')").problems).toEqual([expect.stringContaining('“Set up”, which has two')])
  const { texts, problems } = read("const A = () => [t('Set up|action'), t('Set up|state')]")
  expect(problems).toEqual([])
  expect([...texts]).toEqual([
    ['Set up|action', 'Set up'],
    ['Set up|state', 'Set up'],
  ])
})

test('an action and a state do not share a text', () => {
  const page = (/** @type {string} */ action, /** @type {string} */ state) =>
    read(`const A = () => <p><Button>{t('${action}')}</Button><Badge>{isOn && t('${state}')}</Badge></p>`).problems
  expect(page('Pause', 'Pause')).toEqual([expect.stringContaining('“Pause” is an action and a state')])
  expect(page('Pause|action', 'Pause|state')).toEqual([])
  expect(page('Pause', 'Paused')).toEqual([])
  const row = (/** @type {string} */ state) =>
    read(
      `const A = () => <Detail name={t('Job')}>{t('${state}')} <MenuItem label={t('Pause')} /><IconButton label={t('Stop')} /></Detail>`,
    ).problems
  expect(row('Running')).toEqual([])
  expect(row('Pause')).toEqual([expect.stringContaining('“Pause”')])
  expect(row('Stop')).toEqual([expect.stringContaining('“Stop”')])
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

test.each(languages)('the language %s has one translation of each term', (language) => {
  const translations = listTranslations(language, said)
  expect(translations.length).toBeGreaterThan(said.size)
  expect(checkTerms(language, translations, readTerms())).toEqual([])
})

test.each([
  ['de', 'Wallets you can sign in with.', 'Geldbörsen für die Anmeldung.', '“wallets?” is not'],
  ['de', 'All users', 'Alle Nutzer', '“Nutzer” instead of “Benutzer”'],
  ['es', 'Add a passkey', 'Añadir una passkey', '“passkey” instead of'],
  ['zh', 'Your account', '您的账户', '“您” instead of “你”'],
])('finds another term in %s: %s', (language, english, text, fault) => {
  expect(checkTerms(language, [{ place: 'a', english, text }], readTerms()).join()).toContain(fault)
})

test('a placeholder is no term', () => {
  expect(checkTerms('fr', [{ place: 'a', english: 'Use {wallet}', text: 'Utiliser {wallet}' }], readTerms())).toEqual(
    [],
  )
})
