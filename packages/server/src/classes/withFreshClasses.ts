import { isUndefinedColumn, isUndefinedTable } from '../db/databaseErrors.ts'
import type { Classes } from './createClasses.ts'

/**
 * Runs work that takes its statements from the classes. Where the database no longer has a table or column of theirs,
 * another server dropped it a moment ago: the classes are read again and the work is tried once more.
 */
export async function withFreshClasses<Result>(classes: Classes, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!isUndefinedColumn(error) && !isUndefinedTable(error)) throw error
    try {
      await classes.refresh()
    } catch {
      // Inside a transaction that has failed nothing more can be read; it is the transaction's to be tried again.
      throw error
    }
    return work()
  }
}
