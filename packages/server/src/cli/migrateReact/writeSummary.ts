import type { Migration } from './migrateFolder.ts'
import { newModule, oldModule } from './names.ts'

/** What was done, and what is left to do, as people read it in a terminal; an editor can follow `file:line`. */
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
    lines.push('', `${count(flags.length, 'place')} ${flags.length === 1 ? 'needs' : 'need'} a hand:`)
    for (const { path, line, advice } of flags) lines.push('', `  ${path}:${line}`, `  ${advice}`)
  }
  if (changed.some(({ path }) => path.endsWith('package.json')) && !dryRun) {
    lines.push('', 'Install what package.json names now: npm install')
  }
  return `${lines.join('\n')}\n\n`
}

function describe(path: string, text: string): string {
  if (!path.endsWith('package.json')) return `${oldModule} → ${newModule}`
  return text === '' ? 'taken out' : text
}

function count(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? '' : 's'}`
}
