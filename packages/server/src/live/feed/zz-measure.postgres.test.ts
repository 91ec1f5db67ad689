import { test } from 'vitest'
import { createClasses } from '../../classes/createClasses.ts'
import { migrate } from '../../db/migrate.ts'
import { migrations } from '../../db/migrations.ts'
import { openTestDatabase } from '../../testing/openTestDatabase.ts'
import { readPage } from './readPage.ts'

test('measure', async () => {
  const { db, close } = await openTestDatabase()
  await migrate(db, migrations)

  const low0 = { xmax: 200_000, underWay: [] as number[], last: 300_000 }
  const time = async (label: string) => {
    for (const low of [low0, { ...low0, underWay: [99_990, 99_999] }, { ...low0, last: 299_990, xmax: 100_006 }]) {
      const times: number[] = []
      for (let i = 0; i < 10; i++) {
        const t = performance.now()
        await readPage(db, { low, classNames: ['Game'] })
        times.push(performance.now() - t)
      }
      console.log(label, low.underWay.length, times.map((x) => x.toFixed(1)).join(' '))
    }
  }
  await time('empty')
  await db.query({ text: `insert into countersign.changes (xid, class_name, after) select (i/3+10)::text::xid8, 'Game', jsonb_build_object('objectId', i, 'text', repeat('x', 200)) from generate_series(1, 300000) i` })
  await time('300k unanalyzed')
  await db.query({ text: 'analyze countersign.changes' })
  await time('300k analyzed')
  await close()
}, 120_000)
