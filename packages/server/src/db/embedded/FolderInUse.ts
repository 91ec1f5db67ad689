import type { Holder } from './askHolder.ts'

/** Another process has the data folder. */
export class FolderInUse extends Error {
  override readonly name = 'FolderInUse'

  constructor(folder: string, holder: Holder | undefined) {
    const who = holder ? `process ${holder.pid} on ${holder.host} (since ${holder.since})` : 'another process'
    super(
      `The data folder ${folder} is in use by ${who}. Stop that one, choose another folder for this one ` +
        '(COUNTERSIGN_DATA), or let both use a PostgreSQL server (DATABASE_URL).',
    )
  }
}
