import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { Database } from '../../db/Database.ts'

type Parts = { db: Database; log: Logger; wakeReader(): void }

export type Waker = {
  wake(): void
  /** Learns anew which classes are recorded, whoever watches them. */
  refresh(): Promise<void>
  stop(): Promise<void>
}

const channel = 'countersign_changes'
/** A notification takes a lock that all commits of the database share, so a burst of commits is told together. */
const shortestPause = 5

/** Wakes the readers of all servers after a write to a recorded class. A call that is lost costs a delay, nothing else. */
export async function createWaker({ db, log, wakeReader }: Parts): Promise<Waker> {
  const own = randomUUID()
  let tables: string[] = []
  let watching: (() => void) | undefined
  let stopped = false
  let told = 0
  let timer: NodeJS.Timeout | undefined
  let telling: Promise<void> = Promise.resolve()

  const watch = () => {
    watching = db.watchWrites((text) => {
      for (const table of tables) {
        if (!text.includes(table)) continue
        wake()
        return
      }
    })
  }
  const endWatch = () => {
    watching?.()
    watching = undefined
  }

  const refresh = async () => {
    const rows = await db.query<{ name: string }>({ text: 'select class_name as name from countersign.live_classes' })
    tables = rows.map(({ name }) => `"${name}"`)
    // Where nothing is recorded, statements are not looked at either.
    if (tables.length === 0) endWatch()
    else if (!watching && !stopped) watch()
  }

  const tell = () => {
    timer = undefined
    told = performance.now()
    telling = db
      .query({
        text: `select set_config('synchronous_commit', 'off', true), pg_notify('${channel}', $1)`,
        values: [own],
      })
      .then(
        () => {},
        (error) => log.debug({ err: error }, 'other servers could not be woken and will look by themselves'),
      )
  }

  const wake = () => {
    wakeReader()
    if (db.kind === 'embedded' || timer) return
    timer = setTimeout(tell, Math.max(0, told + shortestPause - performance.now()))
  }

  await refresh()
  const refreshSoon = () =>
    void refresh().catch((error) => log.debug({ err: error }, 'which classes are watched is not known for now'))
  const ends = [
    await db.listen(channel, (sender) => sender !== own && wakeReader(), wakeReader),
    await db.listen('countersign_live', refreshSoon, refreshSoon),
  ]
  return {
    wake,
    refresh,
    async stop() {
      stopped = true
      endWatch()
      clearTimeout(timer)
      for (const end of ends) await end()
      await telling
    },
  }
}
