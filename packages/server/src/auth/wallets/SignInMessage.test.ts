import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseMessage, type SignInMessage, writeMessage } from './SignInMessage.ts'

const message: SignInMessage = {
  namespace: 'eip155',
  domain: 'app.example:8080',
  address: '0x52908400098527886E0F7030069857D2E4169EE7',
  statement: 'Sign in to Acme.',
  uri: 'https://app.example:8080',
  chainId: '1',
  nonce: 'abcdef0123456789',
  issuedAt: '2026-01-01T00:00:00.000Z',
  expirationTime: '2026-01-01T00:05:00.000Z',
}

describe('the sign-in message', () => {
  test('reads as EIP-4361 says', () => {
    expect(writeMessage(message)).toBe(
      [
        'app.example:8080 wants you to sign in with your Ethereum account:',
        '0x52908400098527886E0F7030069857D2E4169EE7',
        '',
        'Sign in to Acme.',
        '',
        'URI: https://app.example:8080',
        'Version: 1',
        'Chain ID: 1',
        'Nonce: abcdef0123456789',
        'Issued At: 2026-01-01T00:00:00.000Z',
        'Expiration Time: 2026-01-01T00:05:00.000Z',
      ].join('\n'),
    )
  })

  const text = (alphabet: string, most: number) =>
    fc.string({ unit: fc.constantFrom(...alphabet), minLength: 1, maxLength: most })
  const word = text('abcXYZ019-_/.?=&', 20)
  const time = fc
    .date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString())

  test('is parsed from its text, with any parts', () => {
    const messages = fc.record(
      {
        namespace: fc.constant('eip155' as const),
        domain: text('abcdefgh0123456789.-', 30),
        address: text('0123456789abcdefABCDEF', 1).chain((c) => fc.constant(`0x${c.repeat(40)}`)),
        statement: text(' abcdef:XYZ\'"!0', 60),
        uri: word.map((path) => `https://x.example/${path}`),
        chainId: fc.nat().map(String),
        nonce: fc.string({ unit: fc.constantFrom(...'abcXYZ019'), minLength: 8, maxLength: 40 }),
        issuedAt: time,
        expirationTime: time,
        notBefore: time,
        requestId: word,
        resources: fc.array(word, { maxLength: 5 }),
      },
      { requiredKeys: ['namespace', 'domain', 'address', 'uri', 'chainId', 'nonce', 'issuedAt'] },
    )
    const comesBack = fc.property(messages, (parts) => {
      expect(parseMessage(writeMessage(parts as SignInMessage))).toEqual(parts)
    })
    fc.assert(comesBack, { numRuns: 500 })
  })

  const lines = writeMessage(message).split('\n')
  test.each([
    ['a second nonce line', [...lines.slice(0, 9), 'Nonce: 0000000000000000', ...lines.slice(9)].join('\n')],
    ['a nonce inside the statement', writeMessage({ ...message, statement: 'x\nNonce: 0000000000000000' })],
    ['carriage returns', lines.join('\r\n')],
    ['a line separator of Unicode', writeMessage({ ...message, statement: 'x\u2028Nonce: 0' })],
    ['letters beyond ASCII', writeMessage({ ...message, statement: 'Zoë' })],
    ['fields in another order', [...lines.slice(0, 7), lines[8], lines[7], ...lines.slice(9)].join('\n')],
    ['another version', lines.join('\n').replace('Version: 1', 'Version: 2')],
    ['a missing chain', lines.filter((line) => !line.startsWith('Chain')).join('\n')],
    ['a missing nonce', lines.filter((line) => !line.startsWith('Nonce')).join('\n')],
    ['a short nonce', writeMessage({ ...message, nonce: 'abc' })],
    ['a line after the end', `${lines.join('\n')}\n`],
    ['a line before the start', `\n${lines.join('\n')}`],
    ['a time that is none', writeMessage({ ...message, issuedAt: 'NaN' })],
    ['a time without a zone', writeMessage({ ...message, issuedAt: '2026-01-01T00:00:00' })],
    ['a user in the domain', writeMessage({ ...message, domain: 'good.example@evil.example' })],
    ['a short address', writeMessage({ ...message, address: '0x1234' })],
    ['the older form', 'Moralis Authentication\n\nId: app:2026-01-01T00:00:00.000Z'],
    ['nothing', ''],
  ])('S15: %s is not a message', (_name, text) => {
    expect(parseMessage(text)).toBeUndefined()
  })
})
