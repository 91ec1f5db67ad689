import { writeFile } from 'node:fs/promises'
import { recordLayouts } from '../classes/partitions/Layout.ts'
import { ConfigError } from '../config/ConfigError.ts'
import { readConfig } from '../config/readConfig.ts'
import type { Database } from '../db/Database.ts'
import { migrate } from '../db/migrate.ts'
import { migrations } from '../db/migrations.ts'
import { placeOf } from '../db/OpenDatabaseOptions.ts'
import { openDatabase } from '../db/openDatabase.ts'
import { sql } from '../db/sql.ts'
import { importData } from '../transfer/importData.ts'
import type { Counts, ImportReport } from '../transfer/importProgress.ts'
import type { Source } from '../transfer/Source.ts'
import { openMongoDump, openParseExport } from '../transfer/sources/openDump.ts'
import { openParseServer } from '../transfer/sources/openParseServer.ts'
import { openTable } from '../transfer/sources/openTable.ts'
import type { Arguments, Options } from './readArguments.ts'

/** `countersign import`: brings the data of another server over. */
export async function runImport({ words, flags, configFile, options }: Arguments): Promise<void> {
  const source = await openSource(words, options)
  const config = await readConfig({ flags, configFile })
  const { dryRun = false } = options
  const db = dryRun ? undefined : await openDatabase(placeOf(config))
  try {
    if (db) await migrate(db, migrations)
    if (db) await recordLayouts(db, config)
    const started = Date.now()
    const report = await importData({
      db,
      config,
      source,
      restart: options.restart ?? false,
      sessions: !options.noSessions,
      provenWalletsOnly: options.provenWallets ?? false,
      files: { mode: options.keepFiles ? 'keep' : 'copy', base: options.filesUrl },
      progress: createProgress(),
    })
    process.stdout.write(describeReport(report, Date.now() - started, dryRun))
    if (db && !(await hasOperators(db))) process.stdout.write(consoleHint)
    if (options.report !== undefined) await writeFile(options.report, `${JSON.stringify(report, null, 2)}\n`)
  } finally {
    await db?.close()
  }
}

async function hasOperators(db: Database): Promise<boolean> {
  return (await db.query(sql`select from countersign.operators limit 1`)).length > 0
}

/** An import brings users and no operator, so the first start prints no link. */
const consoleHint =
  '\nNobody can open the console yet: run countersign admin create --username NAME, or countersign admin grant USER.\n'

async function openSource(words: string[], options: Options): Promise<Source> {
  const [kind, place, ...more] = words
  const usage = 'See countersign import --help.'
  if (more.length > 0) throw new ConfigError(`countersign import ${kind} takes one folder or file. ${usage}`)
  if (kind === 'server') {
    const { url, appId, masterKey = process.env.COUNTERSIGN_SOURCE_MASTER_KEY } = options
    if (place !== undefined || !url || !appId || !masterKey || !URL.canParse(url)) {
      throw new ConfigError(
        `Pass the server to import from: --url https://…/parse --app-id ID --master-key KEY. ${usage}`,
      )
    }
    return openParseServer({ url, appId, masterKey })
  }
  if (place === undefined) throw new ConfigError(`Pass the kind of import and the folder or file. ${usage}`)
  if (kind === 'parse-export') return openParseExport(place, options.files)
  if (kind === 'mongo') return openMongoDump(place, options.files)
  if (kind === 'csv' || kind === 'json') {
    const { class: className, types } = options
    if (className === undefined) throw new ConfigError(`Pass the class: --class NAME. ${usage}`)
    const source = await openTable({ file: place, kind, className, types })
    const named = Object.entries(source.types).map(([name, type]) => `  ${name}: ${describeType(type)}\n`)
    if (named.length > 0) process.stdout.write(`Types of ${className} (change them with --types):\n${named.join('')}`)
    return source
  }
  throw new ConfigError(`Unknown kind of import "${kind}". ${usage}`)
}

function describeType(definition: unknown): string {
  const { type, targetClass } = Object(definition) as { type?: string; targetClass?: string }
  return targetClass === undefined ? `${type}` : `${type}<${targetClass}>`
}

/** On a terminal one line that changes; elsewhere a line now and then. */
function createProgress(): (unit: string, counts: Counts) => void {
  let last = 0
  return (unit, { read }) => {
    const now = Date.now()
    if (now - last < (process.stderr.isTTY ? 200 : 1_000)) return
    last = now
    process.stderr.write(process.stderr.isTTY ? `\r\x1b[2K${unit}: ${read} read` : `${unit}: ${read} read\n`)
  }
}

function describeReport(report: ImportReport, ms: number, dryRun: boolean): string {
  const { units, notes, wallets, files, leftOut } = report
  const width = Math.max(5, ...units.map(({ name }) => name.length))
  const line = (cells: (string | number)[]) =>
    `${String(cells[0]).padEnd(width)} ${cells
      .slice(1)
      .map((cell) => String(cell).padStart(10))
      .join(' ')}\n`
  const total = units.reduce((sum, { read }) => sum + read, 0)
  const rate = Math.round(total / Math.max(0.001, ms / 1000))
  const rest = [
    wallets.linked + wallets.contested + wallets.taken + wallets.foreign > 0 &&
      `Wallets: ${wallets.linked} linked, ${wallets.contested} skipped because several users have them, ${wallets.taken} skipped because they belong to another account here, ${wallets.foreign} skipped because their account is not part of this import.`,
    files.fetched + files.present + files.missing > 0 &&
      `Files: ${files.fetched} copied, ${files.present} already here, ${files.missing} not found.`,
    ...leftOut,
    ...notes.map(
      ({ unit, sentence, count, example }) =>
        `${unit === '' ? '' : `${unit}: `}${sentence} (${count}${example === undefined ? '' : `, such as ${example}`})`,
    ),
  ].filter((sentence) => sentence !== false)
  return `${process.stderr.isTTY ? '\n' : ''}${line(['class', 'read', 'written', 'existing', 'refused'])}${units
    .map(({ name, read, written, present, refused }) => line([name, read, written, present, refused]))
    .join('')}\n${total} objects in ${(ms / 1000).toFixed(1)} s (${rate} per second).\n${rest
    .map((sentence) => `- ${sentence}\n`)
    .join('')}${dryRun ? '\nDry run: nothing was written.\n' : ''}`
}
