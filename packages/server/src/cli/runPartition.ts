import { describeLayout, findLayout, listLayouts, recordLayouts, sameLayout } from '../classes/partitions/Layout.ts'
import { type MoveProgress, moveClass } from '../classes/partitions/moveClass.ts'
import { refuseDistributed } from '../classes/partitions/refuseDistributed.ts'
import type { Config } from '../config/Config.ts'
import { ConfigError } from '../config/ConfigError.ts'
import { migrate } from '../db/migrate.ts'
import { migrations } from '../db/migrations.ts'
import { placeOf } from '../db/OpenDatabaseOptions.ts'
import { openDatabase } from '../db/openDatabase.ts'

const reportEvery = 2_000

/**
 * `countersign schema partition [CLASS]` and `countersign schema distribute [CLASS]`: brings tables into the layout of
 * the setting of that name.
 */
export async function runPartition(
  config: Config,
  setting: 'partition' | 'distribute',
  named: string | undefined,
  dryRun: boolean,
): Promise<void> {
  const wanted = listLayouts({ partition: {}, distribute: {}, [setting]: config[setting] }).filter(
    ([className]) => named === undefined || className === named,
  )
  if (wanted.length === 0) {
    throw new ConfigError(
      named === undefined
        ? `The setting ${setting} names no class. See docs/large-classes.md.`
        : `The setting ${setting} does not name ${named}. To make it one local table again, set partition.${named} to { by: 'none' } and run countersign schema partition ${named}.`,
    )
  }
  const write = (text: string) => process.stdout.write(`${text}\n`)
  const db = await openDatabase(placeOf(config))
  try {
    await migrate(db, migrations)
    await recordLayouts(db, config)
    await refuseDistributed(db)
    for (const [className, layout] of wanted) {
      const present = await findLayout(db, className)
      if (!present) write(`${className}: there is no such class yet. It will be created as ${describeLayout(layout)}.`)
      else if (sameLayout(present, layout)) {
        // Removes what is left of a move that was given up.
        if (!dryRun) await moveClass(db, className, layout)
        write(`${className}: is ${describeLayout(layout)}. Nothing to do.`)
      } else if (dryRun) write(`${className}: ${describeLayout(present)} would become ${describeLayout(layout)}.`)
      else {
        write(`${className}: ${describeLayout(present)} becomes ${describeLayout(layout)}. Clients can read and write.`)
        await moveClass(db, className, layout, { report: createReport(className, write) })
      }
    }
  } finally {
    await db.close()
  }
}

/** Writes a line for each step, and every few seconds while rows are copied. */
function createReport(className: string, write: (text: string) => void): (progress: MoveProgress) => void {
  let [last, at] = ['', 0]
  return ({ step, copied, total }) => {
    if (step === last && performance.now() - at < reportEvery) return
    ;[last, at] = [step, performance.now()]
    const share = total > 0 ? ` of about ${total.toLocaleString('en')}` : ''
    if (step === 'copying') write(`${className}: ${copied.toLocaleString('en')}${share} objects copied`)
    if (step === 'indexing') write(`${className}: ${copied.toLocaleString('en')} objects copied; creating indexes`)
    if (step === 'waiting')
      write(`${className}: waiting for a lock on the class, and for backups that are being written`)
    if (step === 'done') write(`${className}: done`)
  }
}
