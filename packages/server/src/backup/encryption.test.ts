import { expect, test } from 'vitest'
import { decrypt, encrypt } from './encryption.ts'

async function* bytesOf(...parts: Buffer[]) {
  yield* parts
}

async function gather(bytes: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of bytes) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

test('SEC-52: a file that is not encrypted is refused where a passphrase is given', async () => {
  for (const plain of ['a backup of somebody else', '', 'countersign backup, encrypted 2\n'])
    await expect(gather(decrypt(bytesOf(Buffer.from(plain)), 'the passphrase'))).rejects.toThrow(
      'but this backup is not encrypted',
    )
  expect(await gather(decrypt(bytesOf(Buffer.from('plain')), undefined))).toBe('plain')
})

test('SEC-52: an encrypted file needs its passphrase', async () => {
  const sealed = Buffer.from(await gatherBytes(encrypt(bytesOf(Buffer.from('secret')), 'the passphrase')))
  await expect(gather(decrypt(bytesOf(sealed), undefined))).rejects.toThrow('This backup is encrypted')
  expect(await gather(decrypt(bytesOf(sealed), 'the passphrase'))).toBe('secret')
})

async function gatherBytes(bytes: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of bytes) chunks.push(chunk)
  return Buffer.concat(chunks)
}
