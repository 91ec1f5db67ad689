import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto'

/** Invalid backup file; the message says why. */
export class BackupError extends Error {
  override readonly name = 'BackupError'
}

/** First bytes of an encrypted file. */
const magic = Buffer.from('countersign backup, encrypted 1\n')
const saltLength = 16
const prefixLength = 7
const pieceLength = 64 * 1024
const tagLength = 16

/** 128 MiB and about half a second for each try. */
const cost = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 }

/**
 * Encrypts in pieces of 64 KiB with AES-256-GCM. The nonce of a piece holds its number and whether it is the last, so that
 * none can be changed, moved, left out or cut off without notice, and nothing that was not checked is ever handed on.
 */
export async function* encrypt(plain: AsyncIterable<Buffer>, passphrase: string): AsyncGenerator<Buffer> {
  const salt = randomBytes(saltLength)
  const prefix = randomBytes(prefixLength)
  const key = await keyOf(passphrase, salt)
  yield Buffer.concat([magic, salt, prefix])
  let number = 0
  for await (const { piece, isLast } of inPieces(plain, pieceLength)) {
    const cipher = createCipheriv('aes-256-gcm', key, nonceOf(prefix, number++, isLast))
    yield Buffer.concat([cipher.update(piece), cipher.final(), cipher.getAuthTag()])
  }
}

/** The plain bytes of a file: encrypted where there is a passphrase, and only there. */
export async function* decrypt(bytes: AsyncIterable<Buffer>, passphrase: string | undefined): AsyncGenerator<Buffer> {
  const iterator = bytes[Symbol.asyncIterator]()
  let held: Buffer = Buffer.alloc(0)
  const headLength = magic.length + saltLength + prefixLength
  while (held.length < headLength) {
    const { done, value } = await iterator.next()
    if (done) break
    held = Buffer.concat([held, value])
  }
  if (!held.subarray(0, magic.length).equals(magic)) {
    // Somebody could have put another file in its place: only the passphrase shows where a backup comes from.
    if (passphrase !== undefined) {
      throw new BackupError(
        'A passphrase was set, but this backup is not encrypted, so it may not be yours. To restore it anyway, remove --passphrase-file and COUNTERSIGN_BACKUP_PASSPHRASE.',
      )
    }
    yield held
    yield* rest()
    return
  }
  if (passphrase === undefined)
    throw new BackupError(
      'This backup is encrypted. Pass its passphrase with --passphrase-file or COUNTERSIGN_BACKUP_PASSPHRASE.',
    )
  const prefix = held.subarray(magic.length + saltLength, headLength)
  const key = await keyOf(passphrase, held.subarray(magic.length, magic.length + saltLength))
  const first = held.subarray(headLength)
  async function* sealed() {
    if (first.length > 0) yield first
    yield* rest()
  }
  let number = 0
  for await (const { piece, isLast } of inPieces(sealed(), pieceLength + tagLength)) {
    if (piece.length < tagLength) throw damaged(number)
    const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(prefix, number, isLast))
    decipher.setAuthTag(piece.subarray(-tagLength))
    const plain = decipher.update(piece.subarray(0, -tagLength))
    try {
      decipher.final()
    } catch {
      throw damaged(number)
    }
    number++
    yield plain
  }

  async function* rest(): AsyncGenerator<Buffer> {
    for (;;) {
      const { done, value } = await iterator.next()
      if (done) return
      yield value
    }
  }
}

function damaged(number: number): BackupError {
  return new BackupError(
    number === 0 ? 'The passphrase is wrong, or the backup is damaged.' : 'The backup is damaged or incomplete.',
  )
}

/** Pieces of one length; the last may be shorter, and there is always one. */
async function* inPieces(
  bytes: AsyncIterable<Buffer>,
  length: number,
): AsyncGenerator<{ piece: Buffer; isLast: boolean }> {
  let held: Buffer = Buffer.alloc(0)
  for await (const chunk of bytes) {
    held = held.length > 0 ? Buffer.concat([held, chunk]) : chunk
    // A piece that may be the last is held back until more arrives.
    while (held.length > length) {
      yield { piece: held.subarray(0, length), isLast: false }
      held = held.subarray(length)
    }
  }
  yield { piece: held, isLast: true }
}

function nonceOf(prefix: Buffer, number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  prefix.copy(nonce)
  nonce.writeUInt32BE(number, prefixLength)
  nonce[11] = isLast ? 1 : 0
  return nonce
}

function keyOf(passphrase: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(passphrase.normalize('NFKC'), salt, 32, cost, (error, key) => (error ? reject(error) : resolve(key)))
  })
}
