import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readJsonObjects } from './readJsonObjects.ts'
import { openParseExport } from './sources/openDump.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'countersign-compressed-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function readAll(): Promise<number> {
  const source = await openParseExport(folder)
  let count = 0
  for (const unit of await source.units([])) for await (const page of unit.read(undefined)) count += page.length
  return count
}

test('SEC-57: a file that is no gzip, or not all of one, is refused with a sentence', async () => {
  const whole = gzipSync('[{"objectId":"a"}]')
  for (const bytes of [Buffer.from('[{"objectId":"a"}]'), whole.subarray(0, whole.length - 6)]) {
    await writeFile(join(folder, 'Thing.json.gz'), bytes)
    await expect(readAll()).rejects.toMatchObject({ name: 'TransferError', message: expect.stringContaining('gzip') })
  }
  await writeFile(join(folder, 'Thing.json.gz'), whole)
  expect(await readAll()).toBe(1)
})

test('SEC-57: an object in many chunks is joined once', async () => {
  const text = Buffer.from(`[{"objectId":"a","text":"${'x'.repeat(15 * 1024 * 1024)}"}]`)
  async function* chunks() {
    for (let at = 0; at < text.length; at += 1024) yield text.subarray(at, at + 1024)
  }
  const { user } = process.cpuUsage()
  let found = 0
  for await (const objects of readJsonObjects(chunks())) found += objects.length
  expect(found).toBe(1)
  // Milliseconds of the processor; joined each with all before it, it is more than ten thousand.
  expect((process.cpuUsage().user - user) / 1000).toBeLessThan(5_000)
})
