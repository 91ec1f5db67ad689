import fc from 'fast-check'
import type { Pool } from './createPool.ts'
import { hostileText } from './hostileValues.ts'

/** Replaces one line of a message, or a part of it. */
type Edit = { at: number; kind: 'line' | 'drop' | 'repeat' | 'insert' | 'character' | 'swap'; text: string }

const edit: fc.Arbitrary<Edit> = fc.record({
  at: fc.nat({ max: 400 }),
  kind: fc.constantFrom<Edit['kind'][]>('line', 'drop', 'repeat', 'insert', 'character', 'swap'),
  text: fc.oneof(
    hostileText,
    fc.constantFrom(
      'URI: http://evil.example',
      'Version: 2',
      'Chain ID: 0',
      'Chain ID: 99999999999999999999',
      'Nonce: abcdefgh',
      'Issued At: 2020-02-30T00:00:00Z',
      'Expiration Time: 0001-01-01T00:00:00Z',
      'Not Before: 9999-12-31T23:59:59Z',
      'Request ID: x',
      'Resources:\n- https://example.com',
      'http://evil.example wants you to sign in with your Ethereum account:',
      '0x0000000000000000000000000000000000000000',
    ),
  ),
})

/** EIP-4361 and Solana messages: real challenges of the server, as they are and altered. */
export function signInMessage(pool: Pool): fc.Arbitrary<string> {
  const real = pool.one('message').map(String)
  return fc.oneof(
    { weight: 3, arbitrary: real },
    {
      weight: 5,
      arbitrary: fc
        .tuple(real, fc.array(edit, { minLength: 1, maxLength: 3 }))
        .map(([text, edits]) => edits.reduce(apply, text)),
    },
    { weight: 1, arbitrary: hostileText },
  )
}

function apply(message: string, { at, kind, text }: Edit): string {
  const lines = message.split('\n')
  const line = at % lines.length
  const place = at % Math.max(message.length, 1)
  if (kind === 'line') lines[line] = text
  else if (kind === 'drop') lines.splice(line, 1)
  else if (kind === 'repeat') lines.splice(line, 0, lines[line] ?? '')
  else if (kind === 'insert') lines.splice(line, 0, text)
  else if (kind === 'swap') lines.reverse()
  else return `${message.slice(0, place)}${text.slice(0, 3)}${message.slice(place + 1)}`
  return lines.join('\n')
}

/** Signatures of the real messages by their keys, and texts of about that form. */
export function signature(pool: Pool): fc.Arbitrary<string> {
  const hex = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 130, maxLength: 130 })
  return fc.oneof(
    { weight: 3, arbitrary: pool.one('signature').map(String) },
    { weight: 2, arbitrary: hex.map((digits) => `0x${digits}`) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        `0x${'0'.repeat(130)}`,
        `0x${'f'.repeat(130)}`,
        `0x${'1'.repeat(128)}1c`,
        '0x',
        `0x${'6492'.repeat(200)}`,
        '1'.repeat(88),
      ),
    },
    { weight: 1, arbitrary: hostileText },
  )
}
