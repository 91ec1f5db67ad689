import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Context } from '../context/Context.ts'
import { type Fragment, sql } from '../db/sql.ts'
import { createS3Store } from '../files/stores/createS3Store.ts'
import { withSnapshot, writeBackup } from './writeBackup.ts'

declare module '../context/Context.ts' {
  interface Services {
    /** Starts a backup and returns its name; undefined if one is running. It is made after the response. */
    beginBackup?: () => Promise<string | undefined>
  }
}

const lookEvery = 60_000
const requestEvery = 500
const hour = 3_600_000
/** Time after which an unfinished backup counts as abandoned by a stopped server. */
const longest = 6 * hour

/**
 * Makes backups as configured, one for all servers of a database. On the embedded database, which no other process can
 * open, it also serves `countersign backup`: by a file in the data folder, so that only processes that may read the
 * data can ask, and no key has to cross the network.
 */
export function startBackups(context: Context): { stop(): Promise<void> } {
  const { config, db, log } = context
  let running: Promise<unknown> = Promise.resolve()
  let isBusy = false
  const once = (work: () => Promise<unknown>) => {
    if (isBusy) return
    isBusy = true
    running = work()
      .catch((error: unknown) => log.error({ err: error }, 'A backup failed'))
      .finally(() => {
        isBusy = false
      })
  }
  const timers: NodeJS.Timeout[] = []
  context.services.beginBackup = async () => {
    if (isBusy || !config.backup) return undefined
    isBusy = true
    const claimed = await claimBackup(context, isUnderWay(context)).finally(() => {
      isBusy = false
    })
    if (claimed) once(() => makeBackup(context, claimed))
    return claimed?.name
  }
  // An operator may turn them on while the server runs.
  const look = () => {
    if (config.backup?.every !== undefined) once(() => makeDueBackup(context))
  }
  timers.push(setInterval(look, lookEvery))
  look()
  if (db.kind === 'embedded' && !config.dataFolder.startsWith('memory://')) {
    const place = requestPlace(config.dataFolder)
    timers.push(
      setInterval(() => {
        if (existsSync(place.asked)) once(() => answerRequest(context))
      }, requestEvery),
    )
  }
  for (const timer of timers) timer.unref()
  return {
    async stop() {
      for (const timer of timers) clearInterval(timer)
      delete context.services.beginBackup
      await running
    },
  }
}

/** Files by which a command requests a backup and finds the result. */
function requestPlace(dataFolder: string) {
  const folder = resolve(dataFolder)
  return {
    asked: join(folder, 'backup.asked'),
    taken: join(folder, 'backup.taken'),
    made: join(folder, 'backup.made'),
    failed: join(folder, 'backup.failed'),
  }
}

async function answerRequest({ db, config, keys }: Context): Promise<void> {
  const { asked, taken, made, failed } = requestPlace(config.dataFolder)
  await rename(asked, taken)
  try {
    const holdWrites = (await readFile(taken, 'utf8')) === holdWritesMark
    await withSnapshot(db, holdWrites, (snapshot) => writeToFile(made, writeBackup({ db, config, keys, snapshot })))
  } catch (error) {
    await writeFile(failed, (error as Error).message, { mode: 0o600 })
    throw error
  } finally {
    await rm(taken, { force: true })
  }
}

/** Makes a backup if the last one is old enough; returns its name. */
export async function makeDueBackup(context: Context): Promise<string | undefined> {
  const every = context.config.backup?.every
  if (every === undefined) return undefined
  const claimed = await claimBackup(context, isRecent(context, every))
  return claimed && makeBackup(context, claimed)
}

type Claimed = { name: string; place: string }

/** Condition for a backup that was made, or started, within the given hours. */
function isRecent({ clock }: Context, every: number): Fragment {
  const now = clock.ms()
  return sql`started > ${new Date(now - every * hour)} and error is null
    and (finished is not null or started > ${new Date(now - longest)})`
}

function isUnderWay({ clock }: Context): Fragment {
  return sql`finished is null and error is null and started > ${new Date(clock.ms() - longest)}`
}

/** Notes that a backup begins, unless there is one that `rule` is true of. Of several servers one does so. */
async function claimBackup({ config, db, clock }: Context, rule: Fragment): Promise<Claimed | undefined> {
  const settings = config.backup
  const now = clock.now()
  const name = `countersign-${now.toISOString().replaceAll(/[:.]/g, '-')}.backup`
  const place = settings?.s3
    ? `s3:${settings.s3.bucket}`
    : resolve(settings?.folder ?? join(config.dataFolder, 'backups'))
  const isMine = await db.transaction(async () => {
    await db.query(sql`select pg_advisory_xact_lock(hashtext('countersign:backup'))`)
    const rows = await db.query(sql`
      insert into countersign.backups (name, started, place)
      select ${name}, ${now}, ${place} where not exists (select from countersign.backups where ${rule})
      returning 1`)
    return rows.length > 0
  })
  return isMine ? { name, place } : undefined
}

async function makeBackup(context: Context, { name, place }: Claimed): Promise<string> {
  const { config, db, clock, keys, log } = context
  try {
    const { bytes, sha256 } = await store(
      context,
      name,
      writeBackup({ db, config, keys, passphrase: config.backup?.passphrase }),
    )
    await db.query(sql`
      update countersign.backups set finished = ${clock.now()}, bytes = ${bytes}, sha256 = ${sha256}
      where name = ${name}`)
    log.info({ name, place, bytes }, 'A backup was made')
  } catch (error) {
    await db.query(sql`update countersign.backups set error = ${String(error).slice(0, 1000)} where name = ${name}`)
    throw error
  }
  await forgetOld(context, place, config.backup?.keep ?? 1)
  return name
}

async function store(
  { config }: Context,
  name: string,
  content: AsyncIterable<Buffer>,
): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256')
  let bytes = 0
  async function* counted() {
    for await (const chunk of content) {
      bytes += chunk.length
      hash.update(chunk)
      yield chunk
    }
  }
  const { s3, folder } = config.backup ?? {}
  if (s3) await createS3Store(s3).write(name, counted())
  else {
    const target = folder ?? join(config.dataFolder, 'backups')
    await mkdir(target, { recursive: true, mode: 0o700 })
    await writeToFile(join(target, name), counted())
  }
  return { bytes, sha256: hash.digest('hex') }
}

/** Deletes old backups of this server only. Other files in the folder belong to somebody else. */
async function forgetOld({ config, db }: Context, place: string, keep: number): Promise<void> {
  const old = await db.query<{ name: string }>(sql`
    select name from countersign.backups where place = ${place} and finished is not null
    order by started desc offset ${keep}`)
  const { s3, folder } = config.backup ?? {}
  for (const { name } of old) {
    if (s3) await createS3Store(s3).remove(name)
    else await rm(join(folder ?? join(config.dataFolder, 'backups'), name), { force: true })
    await db.query(sql`delete from countersign.backups where name = ${name}`)
  }
}

/** A file that is there as a whole or not at all, for its owner alone. */
export async function writeToFile(path: string, content: AsyncIterable<Buffer>): Promise<void> {
  const unfinished = `${path}.unfinished`
  await rm(unfinished, { force: true })
  try {
    const file = await open(unfinished, 'wx', 0o600)
    try {
      for await (const chunk of content) await file.writeFile(chunk)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(unfinished, path)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}

const holdWritesMark = 'hold-writes'

/** Asks the server that has the data folder open for a backup, and waits for it. Returns its location. */
export async function askForBackup(dataFolder: string, patience: number, holdWrites: boolean): Promise<string> {
  const { asked, made, failed } = requestPlace(dataFolder)
  await rm(made, { force: true })
  await rm(failed, { force: true })
  // Under another name first: the server must not read it before it is written.
  await writeFile(`${asked}.new`, holdWrites ? holdWritesMark : '', { mode: 0o600 })
  await rename(`${asked}.new`, asked)
  const end = Date.now() + patience
  for (;;) {
    if (existsSync(made)) return made
    if (existsSync(failed)) throw new Error(`The server could not make the backup: ${await readFile(failed, 'utf8')}`)
    if (Date.now() > end) {
      await rm(asked, { force: true })
      throw new Error('The running server did not finish the backup in time.')
    }
    await new Promise((done) => setTimeout(done, 100))
  }
}
