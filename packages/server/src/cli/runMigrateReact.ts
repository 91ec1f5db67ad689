import { execFile } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { ConfigError } from '../config/ConfigError.ts'
import { type Migration, migrateFolder } from './migrateReact/migrateFolder.ts'
import { newModule, oldModule } from './migrateReact/names.ts'
import type { Arguments } from './readArguments.ts'

const run = promisify(execFile)

/**
 * `countersign migrate-react`: moves an application from react-moralis to @countersign/moralis, and names of
 * @countersign/react to the entries that have them now.
 */
export async function runMigrateReact({ words, options }: Arguments): Promise<void> {
  const [name = '.', ...more] = words
  if (more.length > 0)
    throw new ConfigError('countersign migrate-react takes one folder. See countersign migrate-react --help.')
  const folder = resolve(name)
  const found = await stat(folder).catch(() => undefined)
  if (!found?.isDirectory()) throw new ConfigError(`Folder not found: ${folder}.`)
  const { dryRun = false, force = false } = options
  if (!dryRun && !force) await requireCleanTree(folder)
  process.stdout.write(writeSummary(await migrateFolder(folder, { dryRun }), { dryRun }))
}

/** Throws unless everything in the folder is committed, so that the change can be reviewed and reverted. */
export async function requireCleanTree(folder: string): Promise<void> {
  const state = await run('git', ['status', '--porcelain', '--', '.'], { cwd: folder }).catch(() => undefined)
  if (!state) {
    throw new ConfigError(
      `${folder} is not in a git repository, so changes can’t be reverted. Create one and commit, or use --force. To see the changes first, use --dry-run.`,
    )
  }
  if (state.stdout.trim() === '') return
  const count = state.stdout.trim().split('\n').length
  throw new ConfigError(
    `${count === 1 ? 'A file' : `${count} files`} in ${folder} changed since the last commit. Commit first, so that you can review the changes separately, or use --force. To see the changes first, use --dry-run.`,
  )
}

/** Summary for the terminal: changes and remaining work, with `file:line` links. */
export function writeSummary({ read, files }: Migration, { dryRun }: { dryRun: boolean }): string {
  const changed = files.filter(({ edits }) => edits.length > 0)
  const flags = files.flatMap(({ path, flags }) => flags.map(({ line, advice }) => ({ path, line, advice })))
  const lines = ['']
  for (const { path, edits } of changed) {
    for (const { line, text } of edits) lines.push(`  ${path}:${line}  ${describe(path, text)}`)
  }
  const verb = dryRun ? 'would change' : 'changed'
  const amount =
    changed.length === 0 ? `nothing ${dryRun ? 'to change' : 'changed'}` : `${count(changed.length, 'file')} ${verb}`
  lines.push(...(changed.length > 0 ? [''] : []), `${count(read, 'file')} read, ${amount}.`)
  if (flags.length > 0) {
    lines.push('', `${count(flags.length, 'place')} ${flags.length === 1 ? 'needs' : 'need'} a manual change:`)
    for (const { path, line, advice } of flags) lines.push('', `  ${path}:${line}`, `  ${advice}`)
  }
  if (changed.some(({ path }) => path.endsWith('package.json')) && !dryRun) {
    lines.push('', 'Install the new dependencies: npm install')
  }
  return `${lines.join('\n')}\n\n`
}

function describe(path: string, text: string): string {
  if (path.endsWith('package.json')) return text === '' ? 'removed' : text
  return text === newModule ? `${oldModule} → ${newModule}` : text.replaceAll(/\s+/g, ' ')
}

function count(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? '' : 's'}`
}
