import { expect, test } from 'vitest'
import { chooseLanguage, greet, languages, own, sayIn } from './texts.ts'
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

test('inserted values are not expanded again', async () => {
  const say = await sayIn(undefined)
  expect(say('verifyText', { name: '{link} $& {app}', link: own('https://x.example') })).toContain(
    'Hello {link} $& {app},',
  )
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

test.each([
  ['see http://evil.example/x now', 'see … now'],
  ['evil.com', '…'],
  ['evil．com and evil。com', '… and …'],
  ['ｗｗｗ．ｅｖｉｌ．ｃｏｍ', '…'],
  ['www.evil', '…'],
  ['me@evil.example', '…'],
  ['ev\u200bil.com', '…'],
  ['call tel:+4990012345 now', 'call … now'],
  ['mailto:evil (sms:1900)', '… …'],
  ['TEL：1900 ﻿tel:*#06#', '… …'],
  ['ethereum:0xabc javascript:x x-app+y.z:open', '… … …'],
  ['\\\\host\\share file:c', '… …'],
  ['x\u0304\u0301.com ❤.ws', '… …'],
  ['2026-11-18T12:30:00.000Z 12:30 Note: x', '2026-11-18T12:30:00.000Z 12:30 Note: x'],
  ['one\r\n\r\nBcc: two\u2028three\u0085four\u000bfive', 'one Bcc: two three four five'],
  ['\u202egnirts\u202c \u2066x\u2069 \u200fy \u{e0041}z', 'gnirts x y z'],
  ['\ud800half', 'half'],
  ['Mozilla/5.0 (X11; Linux x86_64) Chrome/120.0.0.0', 'Mozilla/5.0 (X11; Linux x86_64) Chrome/120.0.0.0'],
  ['Zoë O’Neil 🙂', 'Zoë O’Neil 🙂'],
  ['ﷺ'.repeat(100_000), undefined],
  ['x'.repeat(100_000), 'x'.repeat(100)],
])('SEC-11, SEC-57: a stranger’s %j appears in a mail as %j', async (text, shown) => {
  const say = await sayIn(undefined)
  const line = say('walletRemoved', { address: text })
  if (shown !== undefined) expect(line).toBe(`Wallet ${shown} was removed from your account.`)
  expect(line.length).toBeLessThan(200)
})

test('SEC-11, SEC-57: a name that looks like a link or a letter is not shown; an address is, to its owner', async () => {
  const say = await sayIn(undefined)
  const shown = (username: string, email = 'ann@example.com') => {
    const name = greet(say, { username, email })
    return typeof name === 'string' ? name : name.own
  }
  for (const name of ['ann', 'quiet-otter-482130', '0xab12345678', 'ann 2026']) expect(shown(name)).toBe(name)
  expect(shown('Ann@Example.com')).toBe('ann@example.com')
  for (const name of [
    'evil.com',
    'ann\nclick',
    'other@example.com',
    'you have won, call this number at once, it is free',
    '\u202eann',
    ' ',
    'tel:+4990012345',
    'call +49 900 123-4567',
    '(0900) 1234567',
    '٠٩٠٠.١٢٣.٤٥٦٧'.normalize('NFKC'),
    '１９００５５５１２３４',
    '192.0.2.1/prize',
    'mailto:x',
  ])
    expect([name, shown(name)]).toEqual([name, 'there'])
  expect(shown('ann+http://evil.com@example.com', 'ann+http://evil.com@example.com')).toBe('there')
})
