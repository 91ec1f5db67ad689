import { randomBytes } from 'node:crypto'
import type { Config } from '../config/Config.ts'
import { createS3Store } from '../files/stores/createS3Store.ts'
import { type Report, reasonOf } from './Finding.ts'

/** Writes a small file into the bucket, reads it and removes it. The other stores are checked with disk and database. */
export async function checkStorage({ files }: Config, report: Report): Promise<void> {
  if (files.store !== 's3' || !files.s3) {
    return report.skipped('s3', 'Files are not stored in S3.')
  }
  const name = `countersign-doctor-${randomBytes(8).toString('hex')}`
  const content = randomBytes(32)
  const store = createS3Store(files.s3)
  try {
    await store.write(name, pieces([content]))
    const read: Uint8Array[] = []
    for await (const piece of store.read(name, { start: 0, end: content.length - 1 })) read.push(piece)
    const isSame = Buffer.concat(read).equals(content)
    await store.remove(name)
    if (!isSame) throw new Error('the content that was read differs from the content that was written')
    report.ok('s3', `The bucket ${files.s3.bucket} stores, returns and deletes a file.`)
  } catch (error) {
    report.fault(
      's3',
      `The bucket ${files.s3.bucket}: ${reasonOf(error)}`,
      'Files cannot be uploaded or read.',
      'Check bucket, region, endpoint and keys in files.s3, and that the key may put, get and delete objects.',
    )
  }
}

async function* pieces(given: Buffer[]): AsyncGenerator<Buffer> {
  yield* given
}
