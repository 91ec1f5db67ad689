import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

const skipped = new Set(['node_modules', 'bower_components', 'dist', 'build', 'out', 'coverage', 'vendor'])
const sources = /\.([cm]?[jt]s|[jt]sx)$/

/** The sources of an application and its package.json files; nothing that is built, installed or hidden. */
export async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const found = await Promise.all(
    entries.map((entry) => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return skipped.has(entry.name) || entry.name.startsWith('.') ? [] : listFiles(path)
      return entry.isFile() && (sources.test(entry.name) || entry.name === 'package.json') ? [path] : []
    }),
  )
  return found.flat().sort()
}
