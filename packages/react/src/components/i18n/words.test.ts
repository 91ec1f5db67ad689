import { describe, expect, test } from 'vitest'
import { createTranslate, getTextDirection } from './createFormatter.ts'
import { findLanguage, type Language, languages } from './languages.ts'
import { en } from './locales/en.ts'
import type { SheetMessages } from './messages.ts'

const english: SheetMessages = en

const all = Object.entries(languages) as [Language, (typeof languages)['de']][]

/** The names between braces of a text, outside the choices of a plural. */
function namesIn(text: string): string[] {
  return [...text.matchAll(/\{(\w+)(?=[},])/g)].map(([, name = '']) => name).sort()
}

describe.each(all)('the language %s', (language, load) => {
  test('has every word, with the same placeholders, and no other', async () => {
    const { words } = await load()
    expect(Object.keys(words).sort()).toEqual(Object.keys(english).sort())
    for (const [name, text] of Object.entries(words)) {
      expect(text.trim(), name).not.toBe('')
      expect([name, namesIn(text)]).toEqual([name, namesIn(english[name as keyof SheetMessages])])
    }
  })

  test('has each plural form that its rules need', async () => {
    const { words } = await load()
    const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories
    const plurals = Object.values(words).filter((text) => text.includes(', plural,'))
    expect(plurals).toHaveLength(3)
    for (const text of plurals) for (const category of categories) expect(text).toContain(` ${category} {`)
  })

  test('is translated: hardly a word is the English one', async () => {
    const { words } = await load()
    const same = Object.entries(words).filter(([name, text]) => text === english[name as keyof SheetMessages])
    // The same word in German and in French.
    const shared = ['passkey', 'code']
    expect(same.map(([name]) => name).filter((name) => !shared.includes(name))).toEqual([])
  })
})

describe('say', () => {
  test('chooses plurals, lists and numbers as the language does', async () => {
    const { words } = await languages.ar()
    const arabic = createTranslate('ar', words)
    expect([0, 1, 2, 3, 11, 100].map((count) => arabic('mergingWallets', { count }))).toEqual([
      '0 محفظة',
      'محفظة واحدة',
      'محفظتان',
      '3 محافظ',
      '11 محفظة',
      '100 محفظة',
    ])
    const german = createTranslate('de', (await languages.de()).words)
    expect(german('mergingSignedOut', { from: 'ada', count: 1 })).toBe('ada wird auf einem Gerät abgemeldet.')
    expect(german('mergingSignedOut', { from: 'ada', count: 1200 })).toBe('ada wird auf 1.200 Geräten abgemeldet.')
    expect(german('mergingNew', { fields: ['name', 'bio', 'city'] })).toBe('Neu in Ihrem Konto: name, bio und city.')
    const spoken = createTranslate('en', english)
    expect(spoken('mergingNew', { fields: ['name', 'bio', 'city'] })).toBe(
      'Added to your account: name, bio, and city.',
    )
  })

  test('inserts a name unchanged, with any characters', () => {
    const say = createTranslate('en', english)
    expect(say('signInWith', { name: '{name} $& $1' })).toBe('Sign in with {name} $& $1')
  })

  test('text of the other direction is set apart', async () => {
    const say = createTranslate('ar', (await languages.ar()).words)
    expect(say('signInAs', { account: '0x1234…abcd' })).toContain('\u20680x1234…abcd\u2069')
    expect(createTranslate('en', english)('signInAs', { account: 'ليلى' })).toBe('Sign in as \u2068ليلى\u2069')
    expect(createTranslate('en', english)('signInAs', { account: 'ada' })).toBe('Sign in as ada')
  })
})

test('finds a language by its tag, with any region or script', () => {
  const tags = ['de-AT', 'PT_br', 'zh-Hant-TW', 'ar-EG', 'en-GB', 'nl', 'constructor', '']
  expect(tags.map(findLanguage)).toEqual(['de', 'pt', 'zh', 'ar', 'en', undefined, undefined, undefined])
  expect(all.map(([language]) => [language, getTextDirection(language)]).filter(([, way]) => way === 'rtl')).toEqual([
    ['ar', 'rtl'],
  ])
})
