import { type ImportOptions, importData } from '../../transfer/importData.ts'
import type { ImportReport } from '../../transfer/importProgress.ts'
import type { TestServer } from '../createTestServer.ts'

export const countsOf = ({ units }: ImportReport) =>
  Object.fromEntries(
    units.map(({ name, read, written, present, refused }) => [name, [read, written, present, refused]]),
  )

export const created = new Date('2019-03-04T05:06:07.089Z')
export const updated = new Date('2020-01-02T03:04:05.678Z')
export const times = { _created_at: created, _updated_at: updated }

/** Imports into the database of a running server. */
export function createImports(serverOf: () => TestServer) {
  async function runImport(
    source: ImportOptions['source'],
    options: Partial<ImportOptions> = {},
  ): Promise<ImportReport> {
    const { db, config } = serverOf().context
    const report = await importData({ db, config, source, files: { mode: 'copy' }, ...options })
    await serverOf().context.classes.refresh()
    return report
  }

  return { runImport }
}
