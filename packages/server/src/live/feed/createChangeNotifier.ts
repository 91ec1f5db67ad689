import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { Database } from '../../db/Database.ts'
import { sql } from '../../db/sql.ts'

type Parts = {
  db: Database
  log: Logger
  wakeReader(): void
  /** Wakes the reader after a lost connection: another database may respond at the same address. */
  doubt(): void
}

export type ChangeNotifier = {
  /** Wakes the readers of this server and of all others. */
  notify(): void
  /** Reads again which classes are recorded for any server. */
  refresh(): Promise<void>
  stop(): Promise<void>
}

const channel = 'countersign_changes'

/** A notification takes a lock that all commits of the database share, so a burst of commits shares one. */
const shortestPause = 5

/**
 * Wakes the readers of all servers after a change of a recorded class, which the code that writes reports. One that is
 * lost costs a delay, nothing else: readers also look from time to time.
 */
export async function createChangeNotifier({ db, log, wakeReader, doubt }: Parts): Promise<ChangeNotifier> {
  const own = randomUUID()
  let recorded: ReadonlySet<string> = new Set()
  let endWatch: (() => void) | undefined
  let stopped = false
  let lastSent = 0
  let timer: NodeJS.Timeout | undefined
  let sending: Promise<void> = Promise.resolve()

  const refresh = async () => {
    const rows = await db.query<{ name: string }>(sql`select class_name as name from countersign.live_classes`)
    recorded = new Set(rows.map(({ name }) => name))
    if (recorded.size === 0) {
      endWatch?.()
      endWatch = undefined
    } else if (!stopped) endWatch ??= db.watchChanges((className) => recorded.has(className) && notify())
  }

  const notify = () => {
    wakeReader()
    if (db.kind === 'embedded' || timer) return
    timer = setTimeout(send, Math.max(0, lastSent + shortestPause - performance.now()))
  }

  const send = () => {
    timer = undefined
    lastSent = performance.now()
    sending = db.query(sql`select set_config('synchronous_commit', 'off', true), pg_notify(${channel}, ${own})`).then(
      () => {},
      (error) => log.debug({ err: error }, 'other servers could not be notified; they poll'),
    )
  }

  await refresh()
  const refreshSoon = () =>
    void refresh().catch((error) => log.debug({ err: error }, 'the list of recorded classes is not available'))
  const ends = [
    await db.listen(channel, (sender) => sender !== own && wakeReader(), doubt),
    await db.listen('countersign_live', refreshSoon, refreshSoon),
  ]
  return {
    notify,
    refresh,
    async stop() {
      stopped = true
      endWatch?.()
      clearTimeout(timer)
      for (const end of ends) await end()
      await sending
    },
  }
}
