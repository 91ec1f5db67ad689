import { createReadStream } from 'node:fs'
import { lstat, readdir, readFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { createGunzip } from 'node:zlib'
import type { WireFields, WireValue } from '@countersign/protocol'
import { loadBson, readBsonDocuments } from '../readBson.ts'
import { readJsonObjects } from '../readJsonObjects.ts'
import {
  inOrder,
  type Source,
  type SourceClass,
  type SourceDocument,
  TransferError,
  targetOf,
  type Unit,
} from '../Source.ts'
import { openGridFs } from './readGridFs.ts'

type Found = { name: string; path: string; size: number }
type Tree = Record<string, unknown>

const schemaNames = new Set(['_SCHEMA', 'schema', '_Schema'])
const chunk = 1024 * 1024

/**
 * A folder with one JSON file per class, as in exports of Parse servers and our own. Files are in `files` beside them.
 */
export async function openParseExport(folder: string, filesFolder?: string): Promise<Source> {
  const found = await listFiles(folder, /\.(json|ndjson|jsonl)(\.gz)?$/)
  if (found.length === 0) throw new TransferError(`${resolve(folder)} contains no JSON files.`)
  await loadBson()
  const leftOut: string[] = []
  return {
    identity: `parse-export ${resolve(folder)}`,
    leftOut,
    async classes() {
      const schema = found.find(({ name }) => schemaNames.has(name))
      if (!schema) return []
      const classes: SourceClass[] = []
      for await (const objects of readJsonObjects(openBytes(schema.path, 0))) {
        for (const { value } of objects) if (value) classes.push(...readClass(value))
      }
      return classes
    },
    async units() {
      return unitsOf(
        found.filter(({ name }) => !schemaNames.has(name)),
        leftOut,
        async function* ({ path }, from) {
          for await (const objects of readJsonObjects(openBytes(path, from), from)) {
            yield objects.map(({ value, end }): SourceDocument => {
              const form = value && !Object.hasOwn(value, 'objectId') && Object.hasOwn(value, '_id') ? 'mongo' : 'rest'
              return { form, ...(value && { fields: value }), position: String(end) }
            })
          }
        },
      )
    },
    openFile: (name) => openFileIn(filesFolder ?? join(folder, 'files'), name),
  }
}

/** A folder of mongodump: BSON of each collection, with its indexes in `.metadata.json`. */
export async function openMongoDump(folder: string, filesFolder?: string): Promise<Source> {
  const place = await findDatabase(folder)
  const found = await listFiles(place, /\.bson(\.gz)?$/)
  if (found.length === 0) throw new TransferError(`${resolve(folder)} contains no .bson files of mongodump.`)
  await loadBson()
  const leftOut: string[] = []
  const pathOf = (collection: string) => found.find(({ name }) => name === collection)?.path
  const [files, chunks] = [pathOf('fs.files'), pathOf('fs.chunks')]
  const gridFs = files !== undefined && chunks !== undefined ? openGridFs(files, chunks, openBytes) : undefined
  return {
    identity: `mongo ${resolve(place)}`,
    leftOut,
    async classes() {
      const schema = found.find(({ name }) => name === '_SCHEMA')
      const classes: SourceClass[] = []
      if (schema) {
        for await (const documents of readBsonDocuments(openBytes(schema.path, 0))) {
          for (const { fields } of documents) if (fields) classes.push(readMongoClass(fields))
        }
      }
      for (const one of classes) one.indexes = { ...(await readIndexes(place, one.className)), ...one.indexes }
      return classes
    },
    async units() {
      const collections = found.filter(({ name }) => name !== '_SCHEMA' && !/^(fs|system)\./.test(name))
      return unitsOf(collections, leftOut, async function* ({ path }, from) {
        for await (const documents of readBsonDocuments(openBytes(path, from), from)) {
          yield documents.map(({ fields, end }) => ({
            form: 'mongo' as const,
            ...(fields && { fields }),
            position: String(end),
          }))
        }
      })
    },
    openFile: async (name) =>
      (filesFolder === undefined ? undefined : await openFileIn(filesFolder, name)) ?? gridFs?.openFile(name),
    close: async () => gridFs?.close(),
  }
}

function unitsOf(
  found: Found[],
  leftOut: string[],
  read: (file: Found, from: number) => AsyncIterable<SourceDocument[]>,
): Unit[] {
  const units = found.flatMap((file): Unit[] => {
    const target = targetOf(file.name)
    if (typeof target === 'string') {
      leftOut.push(target)
      return []
    }
    return [{ name: file.name, target, size: file.size, read: (from) => read(file, Number(from ?? 0)) }]
  })
  return inOrder(units)
}

/** Plain files alone: a link in a dump could lead anywhere. */
async function listFiles(folder: string, pattern: RegExp): Promise<Found[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((cause: unknown) => {
    throw new TransferError(`The folder ${resolve(folder)} cannot be read.`, { cause })
  })
  const found: Found[] = []
  for (const entry of entries) {
    if (!entry.isFile() || !pattern.test(entry.name) || entry.name.endsWith('.metadata.json')) continue
    const path = join(folder, entry.name)
    found.push({ name: decodeName(entry.name.replace(pattern, '')), path, size: (await lstat(path)).size })
  }
  return found.sort((one, other) => (one.name < other.name ? -1 : 1))
}

/** mongodump writes the colons of `_Join:users:_Role` as %3A. */
function decodeName(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** The folder itself, or the one database in it. */
async function findDatabase(folder: string): Promise<string> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((cause: unknown) => {
    throw new TransferError(`The folder ${resolve(folder)} cannot be read.`, { cause })
  })
  if (entries.some((entry) => entry.isFile() && /\.bson(\.gz)?$/.test(entry.name))) return folder
  const databases = entries.filter((entry) => entry.isDirectory() && !['admin', 'config', 'local'].includes(entry.name))
  if (databases.length !== 1) {
    throw new TransferError(
      `${resolve(folder)} contains ${databases.length} databases. Pass the folder of one database.`,
    )
  }
  return join(folder, databases[0]?.name ?? '')
}

/** The bytes from a place on. What is compressed has to be read from its beginning. */
async function* openBytes(path: string, from: number): AsyncGenerator<Buffer> {
  if (!path.endsWith('.gz')) {
    yield* createReadStream(path, { start: from, highWaterMark: chunk }) as AsyncIterable<Buffer>
    return
  }
  const file = createReadStream(path, { highWaterMark: chunk })
  const plain = createGunzip()
  file.on('error', (error) => plain.destroy(error))
  let left = from
  try {
    for await (const bytes of file.pipe(plain) as AsyncIterable<Buffer>) {
      if (left < bytes.length) yield left > 0 ? bytes.subarray(left) : bytes
      left = Math.max(0, left - bytes.length)
    }
  } catch (cause) {
    if (!String((cause as NodeJS.ErrnoException).code).startsWith('Z_')) throw cause
    throw new TransferError(`${basename(path)} is not a gzip file, or it is damaged or incomplete.`, { cause })
  }
}

async function openFileIn(folder: string, name: string) {
  // A name in a dump must not lead out of the folder.
  if (name !== basename(name) || name === '..' || /[\\/\0]/.test(name)) return undefined
  const path = join(folder, name)
  const found = await lstat(path).catch(() => undefined)
  return found?.isFile() ? { content: createReadStream(path) as AsyncIterable<Buffer> } : undefined
}

/** Classes in the form of the schema API: one, or `{ results: [ … ] }` in a line of its own. */
function readClass(value: Tree): SourceClass[] {
  const { className, fields, classLevelPermissions, indexes } = value
  if (typeof className !== 'string' || typeof fields !== 'object' || fields === null) return []
  return [
    {
      className,
      fields: fields as Record<string, WireValue>,
      ...(classLevelPermissions !== undefined && { permissions: classLevelPermissions as WireValue }),
      ...(typeof indexes === 'object' && indexes !== null && { indexes: withoutId(indexes as WireFields) }),
    },
  ]
}

const mongoTypes = new Map([
  ['string', 'String'],
  ['number', 'Number'],
  ['boolean', 'Boolean'],
  ['date', 'Date'],
  ['map', 'Object'],
  ['object', 'Object'],
  ['array', 'Array'],
  ['geopoint', 'GeoPoint'],
  ['file', 'File'],
  ['bytes', 'Bytes'],
  ['polygon', 'Polygon'],
])

/** A document of `_SCHEMA`: types by field, `*Class` for a pointer, the rest in `_metadata`. */
function readMongoClass({ _id, _metadata, ...stored }: Tree): SourceClass {
  const fields: SourceClass['fields'] = {}
  for (const [name, type] of Object.entries(stored)) {
    if (typeof type !== 'string' || name === '_client_permissions') continue
    const [, target] = /^relation<(\w+)>$/.exec(type) ?? []
    if (target !== undefined) fields[name] = { type: 'Relation', targetClass: target }
    else if (type.startsWith('*')) fields[name] = { type: 'Pointer', targetClass: type.slice(1) }
    else fields[name] = { type: mongoTypes.get(type) ?? type }
  }
  const about = (typeof _metadata === 'object' && _metadata !== null ? _metadata : {}) as Tree
  const options = (about.fields_options ?? {}) as Record<string, WireFields>
  for (const [name, more] of Object.entries(options)) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (field && typeof field === 'object') fields[name] = { ...(more as WireFields), ...(field as WireFields) }
  }
  return {
    className: String(_id),
    fields,
    ...(about.class_permissions !== undefined && { permissions: about.class_permissions as WireValue }),
    ...(typeof about.indexes === 'object' &&
      about.indexes !== null && { indexes: withoutId(about.indexes as WireFields) }),
  }
}

/** Indexes of a collection from mongodump, in the form of the schema API. */
async function readIndexes(folder: string, className: string): Promise<WireFields> {
  const text = await readFile(join(folder, `${encodeURIComponent(className)}.metadata.json`), 'utf8').catch(() => '{}')
  const indexes: WireFields = {}
  try {
    const { indexes: listed } = JSON.parse(text) as { indexes?: { name?: string; key?: Tree; unique?: boolean }[] }
    for (const { name, key, unique } of listed ?? []) {
      if (typeof name !== 'string' || typeof key !== 'object' || key === null) continue
      const fields = Object.entries(key).map(([field, direction]) => [fieldOf(field), numberOf(direction)])
      indexes[name] = { ...Object.fromEntries(fields), ...(unique === true && { unique: true }) } as WireFields
    }
  } catch {
    return {}
  }
  return withoutId(indexes)
}

function fieldOf(column: string): string {
  if (column === '_created_at') return 'createdAt'
  if (column === '_updated_at') return 'updatedAt'
  return column.startsWith('_p_') ? column.slice(3) : column
}

/** mongodump writes numbers as `{ "$numberInt": "1" }`. */
function numberOf(direction: unknown): unknown {
  if (typeof direction !== 'object' || direction === null) return direction
  return Number(Object.values(direction)[0])
}

function withoutId(indexes: WireFields): WireFields {
  return Object.fromEntries(Object.entries(indexes).filter(([name]) => name !== '_id_'))
}
