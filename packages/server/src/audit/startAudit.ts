import { createHash } from 'node:crypto'
import type { Context } from '../context/Context.ts'
import { sql } from '../db/sql.ts'
import { version } from '../version.ts'
import { type Anchor, readAnchors, writeAnchor } from './anchors.ts'
import { findHead, findLostAnchor, sealAudit } from './chain.ts'

const sealEvery = 2_000
const writeEvery = 100
const anchorEvery = 10_000
const hour = 3_600_000
/** Anchors that a start compares with the log; `countersign audit verify` takes all. */
const mostChecked = 1_000
/** Texts of callers are cut: the log cannot be shortened later. */
const longest = 200
const mostWaiting = 10_000

export type AuditEntry = {
  actor: string
  action: string
  subject?: string
  details?: object
  address?: string
}

export type Audit = {
  /** Resolves once the entry is written, together with others. One that somebody waits for is not kept back. */
  note(entry: AuditEntry, options?: { isWaitedFor: boolean }): Promise<void>
  stop(): Promise<void>
}

type Dated = AuditEntry & { at: Date }

type Waiting = Dated & { done: () => void; fail: (error: unknown) => void }

/** Writes entries of this server, and seals new entries of any program into the chain. */
export async function startAudit(context: Context): Promise<Audit> {
  const { clock, log } = context
  let waiting: Waiting[] = []
  let writing: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined

  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    const entries = waiting
    waiting = []
    if (entries.length === 0) return writing
    writing = writing
      .then(() => writeAudit(context, entries))
      .then(
        () => {
          for (const { done } of entries) done()
        },
        (error) => {
          log.error({ err: error, entries: entries.length }, 'entries of the audit log could not be written')
          for (const { fail } of entries) fail(error)
        },
      )
    return writing
  }

  const note: Audit['note'] = (entry, { isWaitedFor } = { isWaitedFor: true }) =>
    new Promise<void>((done, fail) => {
      waiting.push({ ...entry, at: clock.now(), done, fail })
      if (isWaitedFor || waiting.length >= mostWaiting) void flush()
      else timer ??= setTimeout(flush, writeEvery)
    })

  let sealing: Promise<unknown> = Promise.resolve()
  const seal = () => {
    sealing = sealing
      .then(async () => {
        while (await sealAudit(context));
      })
      .catch((error) => log.warn({ err: error }, 'the audit log could not be sealed'))
    return sealing
  }
  const sealer = setInterval(seal, sealEvery)
  sealer.unref()

  await noteStart(context, note, flush)
  const anchors = await startAnchors(context)
  await seal()
  return {
    note,
    async stop() {
      clearInterval(sealer)
      await flush()
      await seal()
      await anchors.stop()
    },
  }
}

/**
 * Writes the end of the log to a file outside the database, and to the server's log once an hour: a database that was put
 * back to an earlier state is found by it.
 */
async function startAnchors({ db, config, log }: Context): Promise<{ stop(): Promise<void> }> {
  const kept = (await readAnchors(config)).anchors.slice(-mostChecked)
  let last: Anchor | undefined = kept.at(-1)
  let isLost = false
  const look = async (anchors: Anchor[]) => {
    const lost = isLost ? undefined : await findLostAnchor(db, anchors)
    if (!lost) return
    isLost = true
    log.error(
      { position: lost.position },
      'the audit log was restored to an earlier state; run countersign audit verify',
    )
  }
  await look(kept)
  let hasFailed = false
  let logged = Number.NEGATIVE_INFINITY
  let writing: Promise<unknown> = Promise.resolve()
  const anchor = () => {
    writing = writing.then(write).catch((error) => {
      if (!hasFailed) log.warn({ err: error }, 'the end of the audit log could not be written to the data folder')
      hasFailed = true
    })
    return writing
  }
  const write = async () => {
    const head = await findHead(db)
    if (last) await look([last])
    if (!head || (last && head.position <= last.position)) return
    await writeAnchor(config, head)
    last = head
    hasFailed = false
    if (performance.now() - logged < hour) return
    logged = performance.now()
    log.info({ anchor: `${head.position}:${head.hash}` }, 'end of the audit log')
  }
  const timer = setInterval(anchor, anchorEvery)
  timer.unref()
  return {
    async stop() {
      clearInterval(timer)
      await anchor()
    },
  }
}

/** Writes entries. A server seals them into the chain, also those of a command beside it. */
export async function writeAudit({ db }: Context, entries: Dated[]): Promise<void> {
  const column = <Value>(read: (entry: Dated) => Value) => entries.map(read)
  await db.query(sql.named('write-audit')`
    insert into countersign.audit (at, actor, action, subject, details, address)
    select * from unnest(
      ${column(({ at }) => at)}::timestamptz[],
      ${column(({ actor }) => actor.slice(0, longest))}::text[],
      ${column(({ action }) => action.slice(0, longest))}::text[],
      ${column(({ subject = '' }) => subject.slice(0, longest))}::text[],
      ${column(({ details = {} }) => JSON.stringify(details))}::jsonb[],
      ${column(({ address = null }) => address)}::text[])`)
}

/** A start is an entry, and so is a key that is another than at the start before. Keys are named by a part of their hash. */
async function noteStart({ db, keys }: Context, note: Audit['note'], flush: () => Promise<void>): Promise<void> {
  const [last] = await db.query<{ details: { keys?: Record<string, string> } }>(
    sql`select details from countersign.audit where action = 'server.start' order by id desc limit 1`,
  )
  const prints = {
    appId: fingerprint(keys.appId),
    masterKey: fingerprint(keys.masterKey),
    javascriptKey: fingerprint(keys.javascriptKey),
    secret: fingerprint(keys.secret),
  }
  const before = last?.details.keys
  const changed = before ? Object.entries(prints).filter(([name, print]) => before[name] !== print) : []
  const noted = [note({ actor: 'server', action: 'server.start', details: { version, keys: prints } })]
  for (const [name] of changed) noted.push(note({ actor: 'server', action: 'key.change', subject: name }))
  await flush()
  await Promise.all(noted)
}

function fingerprint(key: string): string {
  return createHash('sha256').update(`countersign audit ${key}`).digest('hex').slice(0, 12)
}
