import { randomBytes } from 'node:crypto'

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Ten letters and digits from a cryptographic source. */
export function newObjectId(): string {
  let id = ''
  while (id.length < 10) {
    // Bytes from 248 up would make the first letters likelier than the others.
    for (const byte of randomBytes(16)) if (byte < 248 && id.length < 10) id += letters[byte % 62]
  }
  return id
}
