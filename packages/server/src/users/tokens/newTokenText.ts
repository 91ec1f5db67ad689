import { randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { type TokenKind, tokenPattern, tokenPrefixes } from '@countersign/protocol'

const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** A new token: prefix, 178 random bits, checksum. Secret scanners recognize it without asking the server. */
export function newTokenText(kind: TokenKind): string {
  const secret = Array.from({ length: 30 }, () => letters[randomInt(letters.length)]).join('')
  return `${tokenPrefixes[kind]}${secret}${checksumOf(secret)}`
}

/** Returns true for a text that can be a token. Guesses without the checksum cost no statement. */
export function isTokenText(text: string): boolean {
  if (!tokenPattern.test(text)) return false
  const secret = text.slice(-36, -6)
  return checksumOf(secret) === text.slice(-6)
}

function checksumOf(secret: string): string {
  let left = crc32(secret)
  let text = ''
  for (let at = 0; at < 6; at++) {
    text = letters[left % 62] + text
    left = Math.floor(left / 62)
  }
  return text
}
