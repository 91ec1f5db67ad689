import { expect, test } from 'vitest'
import { eventSchema } from '../../config/eventSettings.ts'
import { plainText } from '../reads/abi.ts'
import { compileSync } from './compileSync.ts'

test('SEC-65: token names contain no invisible marks', () => {
  for (const mark of ['\ufe0f', '\ufe0e', '\ufff9', '\ufffa', '\ufffb', '\ufe0f\ufe0f']) {
    expect(plainText(`US${mark}DC${mark}`)).toBe('USDC')
    expect(plainText(`1${mark}INCH`)).toBe('1INCH')
    expect(plainText(`\u{1f436}${mark}`)).toBe('\u{1f436}')
  }
  for (const whole of ['\u2764\ufe0f', '1\ufe0f\u20e3', '\u{1f3f3}\ufe0f\u200d\u{1f308}'])
    expect(plainText(whole)).toBe(whole)
})

test('SEC-65: a parameter may have the name of something that every object has', async () => {
  const definition = eventSchema.parse({
    class: 'Odd',
    event: 'event Odd(uint256 toString, address valueOf, bool hasOwnProperty)',
    contracts: [`0x${'1'.repeat(40)}`],
  })
  const { fields } = await compileSync(1, definition)
  expect(fields.map(({ name, type }) => [name, type.type])).toEqual([
    ['toString', 'String'],
    ['valueOf', 'String'],
    ['hasOwnProperty', 'Boolean'],
  ])
})
