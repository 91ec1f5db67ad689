import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PGlite } from '@electric-sql/pglite'

const cache = fileURLToPath(new URL('../../../../node_modules/.cache/countersign', import.meta.url))
const manifest = new URL('../../package.json', import.meta.url)

/** The files of a fresh embedded database, made once a machine: making them takes ten times as long as reading them. */
export const getTemplate = async (): Promise<Blob> => {
  const { dependencies } = JSON.parse(await readFile(manifest, 'utf8')) as { dependencies: Record<string, string> }
  const file = join(cache, `pglite-${dependencies['@electric-sql/pglite']}.tar`)
  const found = await readFile(file).catch(() => undefined)
  if (found) return new Blob([found])
  const pglite = await PGlite.create('memory://')
  const template = await pglite.dumpDataDir('none')
  await pglite.close()
  // Test files run beside each other: a half-written archive must not be read.
  const unfinished = `${file}.${randomBytes(6).toString('hex')}`
  await mkdir(cache, { recursive: true })
  await writeFile(unfinished, Buffer.from(await template.arrayBuffer()))
  await rename(unfinished, file)
  return template
}
