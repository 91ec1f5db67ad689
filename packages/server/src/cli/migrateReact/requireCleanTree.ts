import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { ConfigError } from '../../config/ConfigError.ts'

const run = promisify(execFile)

/** Throws unless everything in the folder is committed, so that the change can be seen by itself and taken back. */
export async function requireCleanTree(folder: string): Promise<void> {
  const state = await run('git', ['status', '--porcelain', '--', '.'], { cwd: folder }).catch(() => undefined)
  if (!state) {
    throw new ConfigError(
      `${folder} is in no git repository, so nothing could be taken back. Make one and commit, or add --force. --dry-run only shows what would be done.`,
    )
  }
  if (state.stdout.trim() === '') return
  const count = state.stdout.trim().split('\n').length
  throw new ConfigError(
    `${count === 1 ? 'A file' : `${count} files`} in ${folder} changed since the last commit. Commit first, so that the change can be seen by itself, or add --force. --dry-run only shows what would be done.`,
  )
}
