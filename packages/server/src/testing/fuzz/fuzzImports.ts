import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { CountersignError } from '@countersign/protocol'
import { serialize } from 'bson'
import fc from 'fast-check'
import { ConfigError } from '../../config/ConfigError.ts'
import { readConfig } from '../../config/readConfig.ts'
import { importData } from '../../transfer/importData.ts'
import { type Source, TransferError } from '../../transfer/Source.ts'
import { openMongoDump, openParseExport } from '../../transfer/sources/openDump.ts'
import { openTable } from '../../transfer/sources/openTable.ts'
import { anyObject } from '../objects/fuzzValues.ts'
import { openTestDatabase } from '../openTestDatabase.ts'
import type { FuzzFinding } from './Finding.ts'
import { hostileText, mutated, writeJson } from './hostileValues.ts'

type Kind = 'csv' | 'json' | 'parse-export' | 'mongo'
type Upload = { kind: Kind; files: { name: string; content: Buffer }[] }

const cut = fc.option(fc.tuple(fc.nat({ max: 5_000 }), fc.integer({ min: 0, max: 255 })), { freq: 3, nil: undefined })

/** Cuts a file off, or changes one byte of it. */
function spoil(content: Buffer, damage: [number, number] | undefined): Buffer {
  if (!damage || content.length === 0) return content
  const [at, byte] = damage
  if (byte % 2 === 0) return content.subarray(0, at % content.length)
  const changed = Buffer.from(content)
  changed[at % changed.length] = byte
  return changed
}

const id = fc.constantFrom('id00000001', 'id00000002', 'id00000003', '', '\u0000', 'x'.repeat(300))
const rest = fc.tuple(anyObject, id).map(([fields, objectId]) => ({
  objectId,
  createdAt: '2019-03-04T05:06:07.089Z',
  updatedAt: '2020-01-02T03:04:05.678Z',
  ...fields,
}))
const user = fc.record({
  objectId: id,
  username: hostileText,
  email: hostileText,
  bcryptPassword: hostileText,
  authData: fc.constantFrom<unknown>(null, {}, { moralisEth: { id: '0x', accounts: 1 } }),
  ACL: fc.constantFrom<unknown>({ '*': { read: true } }, [], 'x'),
})
const schema = fc.record({
  className: fc.constantFrom('Game', '_User', '__proto__', 'a b'),
  fields: fc.dictionary(
    fc.constantFrom('s', 'n', 'p', 'x y'),
    fc.record({ type: fc.constantFrom('String', 'Number', 'Pointer', 'Nope'), targetClass: hostileText }),
    { maxKeys: 3, noNullPrototype: true },
  ),
  classLevelPermissions: fc.constantFrom<unknown>({}, { find: { '*': true } }, 'x', { find: 1 }),
})
const rows = mutated(fc.array(fc.oneof(rest, user as fc.Arbitrary<object>), { maxLength: 6 }))
const fileName = fc.constantFrom(
  'Game.json',
  '_User.json',
  '_Role.json',
  '_Session.json',
  '_Join:users:_Role.json',
  '_EthAddress.json',
  'x y.json',
  'Game.json.gz',
)

const table = fc.tuple(
  fc.array(
    fc.array(fc.oneof(hostileText, fc.constantFrom('1', 'true', '2020-01-01T00:00:00.000Z', '"', '"a,b"', '{"a":1}')), {
      maxLength: 4,
    }),
    { maxLength: 6 },
  ),
  cut,
)
const csv = table.map(
  ([lines, damage]): Upload => ({
    kind: 'csv',
    files: [
      {
        name: 'table.csv',
        content: spoil(Buffer.from(`objectId,s,n,${'x'}\n${lines.map((cells) => cells.join(',')).join('\n')}`), damage),
      },
    ],
  }),
)
const json = fc.tuple(rows, cut).map(
  ([list, damage]): Upload => ({
    kind: 'json',
    files: [{ name: 'table.json', content: spoil(Buffer.from(writeJson(list)), damage) }],
  }),
)
const exported = fc
  .tuple(fc.array(fc.tuple(fileName, rows, cut), { minLength: 1, maxLength: 3 }), fc.option(mutated(schema)))
  .map(
    ([parts, given]): Upload => ({
      kind: 'parse-export',
      files: [
        ...parts.map(([name, list, damage]) => {
          const content = Buffer.from(writeJson({ results: list }))
          return { name, content: spoil(name.endsWith('.gz') ? gzipSync(content) : content, damage) }
        }),
        ...(given ? [{ name: '_SCHEMA.json', content: Buffer.from(writeJson({ results: [given] })) }] : []),
      ],
    }),
  )
const document = fc.tuple(anyObject, id).map(([fields, _id]) => ({ _id, _created_at: new Date(0), ...fields }))
const dump = fc.tuple(fc.array(mutated(document), { maxLength: 4 }), cut).map(
  ([documents, damage]): Upload => ({
    kind: 'mongo',
    files: [{ name: 'Game.bson', content: spoil(Buffer.concat(documents.map(writeBson)), damage) }],
  }),
)

function writeBson(value: unknown): Buffer {
  try {
    return Buffer.from(serialize(Object(value) as object))
  } catch {
    return Buffer.from([5, 0, 0, 0, 0])
  }
}

/** Imports random files. An import may refuse a file by its own error, and never fail otherwise. */
export async function fuzzImports({ cases, seed }: { cases: number; seed: number }) {
  const findings: FuzzFinding[] = []
  const started = performance.now()
  let accepted = 0
  const database = await openTestDatabase({ template: 'migrated' })
  const config = await readConfig({
    environment: {},
    folder: '/nonexistent',
    flags: { dataFolder: 'memory://', files: { store: 'database' }, usePublicNodes: false },
  })
  try {
    for (const [index, upload] of fc.sample(fc.oneof(csv, json, exported, dump), { numRuns: cases, seed }).entries()) {
      const folder = await mkdtemp(join(tmpdir(), 'fuzz-import-'))
      try {
        const source = await openSource(folder, upload)
        await importData({ db: index % 3 ? database.db : undefined, config, source, files: { mode: 'keep' } })
        accepted++
      } catch (error) {
        const isRefusal =
          error instanceof TransferError || error instanceof CountersignError || error instanceof ConfigError
        if (!isRefusal)
          findings.push({
            rule: 'import',
            message: `An import fails: ${(error as Error).stack}`,
            endpoint: 'import',
            input: JSON.stringify({
              kind: upload.kind,
              files: upload.files.map(({ name, content }) => [name, content.toString('base64')]),
            }).slice(0, 6_000),
          })
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    }
  } finally {
    await database.close()
  }
  return { findings, counts: { import: { cases, accepted, ms: performance.now() - started } } }
}

async function openSource(folder: string, { kind, files }: Upload): Promise<Source> {
  await mkdir(folder, { recursive: true })
  for (const { name, content } of files) await writeFile(join(folder, name), content)
  if (kind === 'parse-export') return openParseExport(folder)
  if (kind === 'mongo') return openMongoDump(folder)
  return openTable({ file: join(folder, files[0]?.name ?? ''), kind, className: 'Game' })
}
