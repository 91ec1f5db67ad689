import { setTimeout as pause } from 'node:timers/promises'
import { CountersignError } from '@countersign/protocol'
import type { Database } from '../../db/Database.ts'

type Parts = { db: Database; retention: number }

export type Recorder = {
  open(className: string): Promise<void>
  close(className: string): void
  classNames(): readonly string[]
  /** Tells the database that the open classes are wanted yet. Answers whether all of them had been recorded all along. */
  renew(): Promise<boolean>
}

type Entry = { count: number; recorded: Promise<void> | undefined }

/** Those who want to write the table wait meanwhile, so it is tried for a short time, again and again. */
const lockTimeout = '100ms'
const pauseBetween = 150
const patience = 20_000

/** Classes that are waited for and are not there: anyone may name some, and every write is held against the list. */
const mostMissing = 200

/** Keeps the classes recorded that somebody on this server watches; for a while longer, so that they can come back. */
export function createRecorder({ db, retention }: Parts): Recorder {
  const entries = new Map<string, Entry>()
  let names: readonly string[] = []

  /** Answers whether it was recorded already. */
  const record = async (className: string): Promise<boolean> => {
    const until = performance.now() + patience
    for (;;) {
      try {
        return await db.transaction(async () => {
          await db.query({ text: `set local lock_timeout = '${lockTimeout}'` })
          await checkMissing(className)
          const [row] = await db.query<{ made: boolean }>({
            text: `select countersign.record_class($1, $2 * interval '1 millisecond') as made`,
            values: [className, 2 * retention],
          })
          return row?.made === false
        })
      } catch (error) {
        if ((error as { code?: unknown }).code !== '55P03') throw error
        if (performance.now() > until) {
          throw new CountersignError(
            'Timeout',
            `A transaction has been writing ${className} for too long to begin watching it. Try again later.`,
            { cause: error },
          )
        }
        await pause(pauseBetween)
      }
    }
  }

  const checkMissing = async (className: string): Promise<void> => {
    const [full] = await db.query({
      text: `select from countersign.live_classes l
             where not exists (select from countersign.classes c where c."className" = l.class_name)
               and not exists (select from countersign.classes where "className" = $1)
             having count(*) >= ${mostMissing} and not bool_or(l.class_name = $1)`,
      values: [className],
    })
    if (full)
      throw new CountersignError('ExceededQuota', `There is no class ${className}, and too many are waited for.`)
  }

  const close = (className: string) => {
    const entry = entries.get(className)
    if (!entry || --entry.count > 0) return
    entries.delete(className)
    names = [...entries.keys()]
  }

  return {
    open(className) {
      const entry = entries.get(className) ?? { count: 0, recorded: undefined }
      entry.count++
      entries.set(className, entry)
      entry.recorded ??= record(className).then(
        () => {
          names = [...entries.keys()]
        },
        (error) => {
          entry.recorded = undefined
          throw error
        },
      )
      return entry.recorded
    },
    close,
    classNames: () => names,
    async renew() {
      let whole = true
      for (const className of names) if (!(await record(className))) whole = false
      return whole
    },
  }
}
