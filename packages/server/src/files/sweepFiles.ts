import type { Context } from '../context/Context.ts'
import { removeFiles } from './removeFiles.ts'

/** Clears away what interrupted uploads left behind. */
export async function sweepFiles(context: Context): Promise<void> {
  const longAgo = new Date(context.clock.now().getTime() - 2 * context.config.files.uploadTimeout * 1000)
  await removeFiles(context, { condition: 'digest is null and created < $1', values: [longAgo] })
}
