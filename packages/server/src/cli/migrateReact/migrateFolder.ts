import { readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, relative, sep } from 'node:path'
import MagicString from 'magic-string'
import { examinePackage } from './examinePackage.ts'
import { examineSource } from './examineSource.ts'
import type { Examined } from './Finding.ts'
import { listFiles } from './listFiles.ts'
import { sdkModule } from './names.ts'

export type MigratedFile = Examined & { readonly path: string }
export type Migration = { readonly read: number; readonly files: readonly MigratedFile[] }

/** Moves every source and package.json of a folder over, or only tells what that would be. */
export async function migrateFolder(folder: string, { dryRun }: { dryRun: boolean }): Promise<Migration> {
  const paths = await listFiles(folder)
  const packages = paths.filter((path) => basename(path) === 'package.json')
  const keepers = new Set<string>()
  const files: MigratedFile[] = []

  const take = async (path: string, source: string, examined: Examined) => {
    if (examined.edits.length === 0 && examined.flags.length === 0) return
    files.push({ ...examined, path: relative(folder, path).split(sep).join('/') })
    if (dryRun || examined.edits.length === 0) return
    const text = new MagicString(source)
    for (const { start, end, text: next } of examined.edits) text.update(start, end, next)
    await writeFile(path, text.toString())
  }
  for (const path of paths) {
    if (basename(path) === 'package.json') continue
    const source = await readFile(path, 'utf8')
    const examined = examineSource(path, source)
    if (mentionsSdk(source)) keepers.add(findPackage(packages, path))
    await take(path, source, examined)
  }
  for (const path of packages) {
    const source = await readFile(path, 'utf8')
    await take(path, source, examinePackage(source, keepers.has(path)))
  }
  return { read: paths.length, files }
}

/** Also where it is only a text, such as in a configuration: what is taken out by mistake is dear. */
function mentionsSdk(source: string): boolean {
  return [...source.matchAll(/['"`]([\w/.-]+)['"`]/g)].some(([, name = '']) => sdkModule.test(name))
}

/** The package.json nearest above a file. */
function findPackage(packages: readonly string[], path: string): string {
  const above = packages.filter((one) => path.startsWith(dirname(one) + sep))
  return above.sort((one, other) => other.length - one.length)[0] ?? ''
}
