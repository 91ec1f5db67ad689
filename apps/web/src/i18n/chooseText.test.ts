import { afterAll, expect, test } from 'vitest'
import { chooseText, i18n } from './translate.ts'

afterAll(() => i18n.set('en', {}))

test('shows an operator’s text in the current language, else in English, else in the first', () => {
  const both = { de: 'Willkommen', en: 'Welcome' }
  i18n.set('de', {})
  expect(chooseText(both)).toBe('Willkommen')
  i18n.set('ja', {})
  expect(chooseText(both)).toBe('Welcome')
  expect(chooseText({ fr: 'Bienvenue', de: 'Willkommen' })).toBe('Bienvenue')
  expect(chooseText('Hello')).toBe('Hello')
  expect(chooseText(undefined)).toBeUndefined()
})
