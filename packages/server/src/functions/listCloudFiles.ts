import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

const isCode = (name: string) =>
  /\.(ts|mts|cts|js|mjs|cjs)$/.test(name) && !/(^[._])|\.(d|test|spec)\.[cm]?[jt]s$/.test(name)

/**
 * The files of the application's code: those that lie in the folder itself, in the order of their names. What lies
 * deeper is there to be imported. A path may name a single file, too.
 */
export async function listCloudFiles(path: string): Promise<string[]> {
  const found = await stat(path).catch(() => undefined)
  if (!found) return []
  if (found.isFile()) return [path]
  const entries = await readdir(path, { withFileTypes: true })
  return entries
    .filter((entry) => !entry.isDirectory() && isCode(entry.name))
    .map(({ name }) => join(path, name))
    .sort()
}
