import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const source = join(import.meta.dirname, '../..')

/** An insert, update or delete whose table is one of a class: quoted, or put in by name. */
const writesClass =
  /\b(?:insert into|update|delete from)\s+(?:public\.)?(?:"_(?!Join:)|\$\{(?:sql\.table|tableOf|sql\.raw\(tableOf|table\b))/

/**
 * The first two call `forgetSessions`, which reports; for the next three their callers do. The last one writes to a copy
 * that nobody subscribes to.
 */
const byOthers = [
  'auth/wallets/provisionalWallets.ts',
  'users/sessions/logOut.ts',
  'classes/compileChanges.ts',
  'auth/merge/moveFields.ts',
  'classes/partitions/logWrites.ts',
  'console/sql/copyProcess.ts',
]

/** An import is quiet: it records no changes. */
test('every file that writes objects of a class reports the change, so that live queries get it immediately', () => {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !/^(testing|db|transfer)\//.test(file),
  )
  const writers = files.filter((file) => writesClass.test(readFileSync(join(source, file), 'utf8')))
  expect(writers.length).toBeGreaterThan(15)
  const silent = writers.filter((file) => !readFileSync(join(source, file), 'utf8').includes('reportChange('))
  expect(silent.filter((file) => !byOthers.includes(file))).toEqual([])
})
