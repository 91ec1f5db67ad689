import { CountersignError } from '@countersign/protocol'
import type { Context } from '../context/Context.ts'
import { removeFiles } from './removeFiles.ts'

/** Deletes a file with its previews, for the master key. */
export async function deleteFile(context: Context, name: string): Promise<object> {
  const removed = name.includes('\0')
    ? 0
    : await removeFiles(context, { condition: 'name = $1 or original = $1', values: [name] })
  if (removed === 0) throw new CountersignError('FileDeleteError', 'Could not delete file: there is none of that name.')
  return {}
}
