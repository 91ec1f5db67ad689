import { createHash, randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PGlite } from '@electric-sql/pglite'
import { migrate } from '../db/migrate.ts'
import { migrations } from '../db/migrations.ts'
import { openDatabase } from '../db/openDatabase.ts'

const cache = fileURLToPath(new URL('../../../../node_modules/.cache/countersign', import.meta.url))
const manifest = new URL('../../package.json', import.meta.url)

export type Template = 'empty' | 'migrated'

const read = new Map<string, Promise<Blob>>()

/** The files of an embedded database, made once a machine: making them takes ten times as long as reading them. */
export const getTemplate = async (kind: Template): Promise<Blob> => {
  const { dependencies } = JSON.parse(await readFile(manifest, 'utf8')) as { dependencies: Record<string, string> }
  const version = dependencies['@electric-sql/pglite']
  const name = kind === 'empty' ? `pglite-${version}.tar` : `pglite-${version}-${hashMigrations()}.tar`
  const template = read.get(name) ?? readOrMake(join(cache, name), kind)
  read.set(name, template)
  return template
}

export const hashMigrations = (): string =>
  createHash('sha256').update(JSON.stringify(migrations)).digest('hex').slice(0, 16)

const readOrMake = async (file: string, kind: Template): Promise<Blob> => {
  const found = await readFile(file).catch(() => undefined)
  if (found) return new Blob([found])
  const template = await make(kind)
  // Test files run beside each other: a half-written archive must not be read.
  const unfinished = `${file}.${randomBytes(6).toString('hex')}`
  await mkdir(cache, { recursive: true })
  await writeFile(unfinished, Buffer.from(await template.arrayBuffer()))
  await rename(unfinished, file)
  return template
}

const make = async (kind: Template): Promise<Blob> => {
  if (kind === 'empty') return dump(await PGlite.create('memory://'))
  const folder = await mkdtemp(join(tmpdir(), 'template-'))
  try {
    const db = await openDatabase({ dataFolder: folder })
    await migrate(db, migrations)
    await db.close()
    return await dump(await PGlite.create(join(folder, 'database')))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const dump = async (pglite: PGlite): Promise<Blob> => {
  const template = await pglite.dumpDataDir('none')
  await pglite.close()
  return template
}
