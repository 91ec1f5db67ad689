import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { headers } from '@countersign/protocol'
import { readAnchor } from '../audit/anchors.ts'
import { type Verdict, verifyAudit } from '../audit/chain.ts'
import { listAudit } from '../audit/listAudit.ts'
import { listAnchors } from '../backup/listAnchors.ts'
import type { Config } from '../config/Config.ts'
import { ConfigError } from '../config/ConfigError.ts'
import { readConfig } from '../config/readConfig.ts'
import type { Database } from '../db/Database.ts'
import { FolderInUse } from '../db/embedded/lockFolder.ts'
import { placeOf } from '../db/OpenDatabaseOptions.ts'
import { openDatabase } from '../db/openDatabase.ts'
import { findKeys, type Keys } from '../keys/loadKeys.ts'
import type { Arguments } from './readArguments.ts'

type Page = Awaited<ReturnType<typeof listAudit>>
type Log = {
  verify(anchor: string | undefined): Promise<Verdict>
  list(before: string | undefined): Promise<Page>
  close(): Promise<void>
}

const pageSize = 100

/** `countersign audit verify` and `countersign audit export`. Ends with 1 where the log is not whole. */
export async function runAudit({ words, flags, configFile, options }: Arguments): Promise<void> {
  const [what = ''] = words
  if (what !== 'verify' && what !== 'export') {
    throw new ConfigError('Usage: countersign audit verify or countersign audit export. See countersign help audit.')
  }
  if (options.anchor !== undefined && !readAnchor(options.anchor)) {
    throw new ConfigError(
      '--anchor must be an anchor that countersign audit verify printed: a number, a colon and 64 hex digits.',
    )
  }
  const log = await openLog(await readConfig({ flags, configFile }))
  try {
    if (what === 'verify') showVerdict(await log.verify(options.anchor))
    else await writeAll(log, options.out)
  } finally {
    await log.close()
  }
}

function showVerdict({ isIntact, entries, anchors, pending, head, faults }: Verdict): void {
  process.stdout.write(
    isIntact
      ? `The audit log is intact: ${entries} entries, ${pending} of them not chained yet. It matches ${anchors} anchors from outside the database.\nAnchor ${head}\nKeep the anchor on another machine. Pass it to verify --anchor later to check that nothing up to it was changed.\n`
      : `The audit log is broken:\n${faults.map((fault) => `  - ${fault}\n`).join('')}`,
  )
  process.exitCode = isIntact ? 0 : 1
}

async function writeAll(log: Log, path: string | undefined): Promise<void> {
  const out = path === undefined ? process.stdout : createWriteStream(path, { flags: 'wx', mode: 0o600 })
  for (let before: string | undefined; ; ) {
    const { results } = await log.list(before)
    for (const entry of results) if (!out.write(`${JSON.stringify(entry)}\n`)) await once(out, 'drain')
    before = results.at(-1)?.id
    if (results.length < pageSize) break
  }
  if (out === process.stdout) return
  out.end()
  await once(out, 'close')
}

/** In the database itself; through the server where that one holds the data folder. */
async function openLog(config: Config): Promise<Log> {
  let db: Database
  try {
    db = await openDatabase(placeOf(config))
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error
    return askServer(config, await keysOf(config))
  }
  return {
    verify: async (anchor) => {
      const given = anchor === undefined ? undefined : readAnchor(anchor)
      const anchors = [...(await listAnchors(config)), ...(given ? [given] : [])]
      return verifyAudit({ db, keys: await keysOf(config, db) }, anchors)
    },
    list: (before) => listAudit({ db }, { before, limit: pageSize }),
    close: () => db.close(),
  }
}

async function keysOf(config: Config, db?: Database): Promise<Keys> {
  const keys = await findKeys(config, config.databaseUrl ? db : undefined)
  if (!keys?.secret)
    throw new ConfigError('No keys found: the server has never run on this data. Check DATABASE_URL or --data FOLDER.')
  return keys
}

function askServer(config: Config, keys: Keys): Log {
  const ask = async <Answer>(path: string, query: Record<string, string | undefined>): Promise<Answer> => {
    const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined)
    const url = `http://localhost:${config.port}${config.mount}${path}?${new URLSearchParams(given)}`
    const response = await fetch(url, {
      headers: { [headers.applicationId]: keys.appId, [headers.masterKey]: keys.masterKey },
      signal: AbortSignal.timeout(600_000),
    })
    const answer = (await response.json()) as Answer & { error?: string }
    if (!response.ok) throw new ConfigError(`The server refused (${response.status} ${answer.error ?? ''}).`)
    return answer
  }
  return {
    verify: (anchor) => ask<Verdict>('/audit/verification', { anchor }),
    list: (before) => ask<Page>('/audit', { before, limit: String(pageSize) }),
    close: async () => {},
  }
}
