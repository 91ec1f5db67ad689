import { expect, test } from 'vitest'
import { chooseLanguage } from './chooseLanguage.ts'
import { languages } from './languages.ts'
import { sayIn } from './sayIn.ts'
import { en } from './words/en.ts'

const placesOf = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).sort()

test('every language has every text, with the same places and lines, and none in English', async () => {
  expect(Object.keys(languages)).toHaveLength(7)
  for (const [language, load] of Object.entries(languages)) {
    const { words } = await load()
    expect(Object.keys(words), language).toEqual(Object.keys(en))
    for (const name of Object.keys(en) as (keyof typeof en)[]) {
      const [text, english] = [words[name], en[name]]
      const about = `${language} ${name}`
      expect(placesOf(text), about).toEqual(placesOf(english))
      expect(text.split('\n').length, about).toBe(english.split('\n').length)
      expect(text, about).not.toBe(english)
      expect(text.trim().length, about).toBeGreaterThan(0)
      // A link is followed only where nothing touches it.
      expect(text.includes('{link}'), about).toBe(text.includes('\n{link}\n'))
    }
  }
})

test('what is filled in is not filled in again', async () => {
  const say = await sayIn(undefined)
  expect(say('verifyText', { name: '{link} $& {app}', link: 'https://x.example' })).toContain('Hello {link} $& {app},')
})

test.each([
  ['de', 'fr', 'de'],
  ['en', 'fr', undefined],
  ['xx', 'fr', 'fr'],
  [{ $ne: '' }, undefined, undefined],
  ['__proto__', 'constructor', undefined],
  [null, 'de-AT,de;q=0.9,en;q=0.5', 'de'],
  [null, 'it, en;q=0.4, pt-BR;q=0.8', 'pt'],
  [null, 'en-GB,en;q=0.9,de;q=0.8', undefined],
  [null, 'de;q=0, ja;q=0.1', 'ja'],
  [null, 'ZH-hans-CN', 'zh'],
  [null, '*', undefined],
  [null, ';q=;;,,q=1', undefined],
  [null, 'x'.repeat(100_000), undefined],
])('chosen %j, accepted %j: %j', (chosen, accepted, language) => {
  expect(chooseLanguage(chosen, accepted)).toBe(language)
})
