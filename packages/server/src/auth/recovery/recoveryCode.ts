import { randomBytes } from 'node:crypto'
import { hashToken } from '../../context/newToken.ts'

/** Without the letters that are read as digits; 32 of them, so that a byte's lower bits choose evenly. */
const letters = '0123456789abcdefghjkmnpqrstvwxyz'

/** 80 bits: too many to be guessed even from the hash, so a quick hash will do. */
export function newRecoveryCode(): string {
  const text = [...randomBytes(16)].map((byte) => letters[byte % letters.length]).join('')
  return text.replace(/(.{4})(?=.)/g, '$1-')
}

/** A code as people type it: with or without dashes, in capitals, with O for 0 and L or I for 1. */
export function hashRecoveryCode(userId: string, typed: string): Buffer {
  const plain = typed
    .toLowerCase()
    .replace(/[^0-9a-z]/g, '')
    .replaceAll('o', '0')
    .replace(/[il]/g, '1')
  return hashToken(`recovery ${userId} ${plain}`)
}
